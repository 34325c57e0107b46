package formats

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	bom       = "\uFEFF"
	csvHeader = "index,start,end,start_ms,end_ms,speaker,text"
)

// WriteCSV writes one row per utterance (RFC 4180) with CRLF, a quoted speaker and text, and a byte order mark, without
// which spreadsheets don't read UTF-8. A speaker or text that a spreadsheet would run as a formula gets a leading '.
func WriteCSV(w io.Writer, t transcript.Transcript, o Options) error {
	s := prepareText(t, o)
	var b bytes.Buffer
	b.Grow(s.size())
	b.WriteString(bom + csvHeader + "\r\n")
	for i, u := range s.Utterances {
		b.WriteString(strconv.Itoa(i + 1))
		b.WriteString("," + clockMillis(u.Start) + "," + clockMillis(u.End))
		b.WriteString("," + strconv.FormatInt(milliseconds(u.Start), 10) + "," + strconv.FormatInt(milliseconds(u.End), 10))
		b.WriteString("," + csvText(u.Name) + "," + csvText(u.Text) + "\r\n")
	}
	return writeFile(w, &b)
}

// csvText quotes a field. Formulas start with the characters listed by OWASP, "CSV Injection"; tabs and carriage returns,
// which it lists too, never occur in clean text.
func csvText(s string) string {
	for _, c := range []string{"=", "+", "-", "@", "＝", "＋", "－", "＠"} {
		if strings.HasPrefix(s, c) {
			s = "'" + s
			break
		}
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

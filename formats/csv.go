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

// WriteCSV writes one row per utterance (RFC 4180): CRLF, speaker and text always in quotes, and a byte order mark, since
// spreadsheets read UTF-8 only with one. A speaker or text that a spreadsheet would take for a formula begins with '.
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
	return send(w, &b)
}

// csvText quotes a field. The characters that begin a formula are those of OWASP's page on CSV injection; tabs and
// carriage returns, which it lists too, can't be in clean text.
func csvText(s string) string {
	for _, c := range []string{"=", "+", "-", "@", "＝", "＋", "－", "＠"} {
		if strings.HasPrefix(s, c) {
			s = "'" + s
			break
		}
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

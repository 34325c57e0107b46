package markers

import (
	"fmt"
	"io"
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// WriteEDL writes the markers as an edit decision list (CMX 3600) with the comments that DaVinci Resolve reads as timeline markers: an event
// of one frame each, and colour, name, and length behind the note. Lines end with CRLF. Event numbers have three digits, above 999 four.
func WriteEDL(w io.Writer, t Timeline) error {
	t, marks, _ := t.prepare()
	mode := "NON-DROP FRAME"
	if t.Rate.Drop {
		mode = "DROP FRAME"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "TITLE: %s\r\nFCM: %s\r\n", t.Name, mode)
	for i, m := range marks {
		in, out := t.Rate.Timecode(t.Start+m.start), t.Rate.Timecode(t.Start+m.start+1)
		fmt.Fprintf(&b, "\r\n%03d  001      V     C        %s %s %s %s  \r\n", i+1, in, out, in, out)
		fmt.Fprintf(&b, "%s |C:%s |M:%s |D:%d\r\n", edlNote(m.Note), m.color.resolve, edlText.Replace(m.Name), m.length)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// edlNote returns a note for the beginning of a line. A space keeps one that looks like an event or a statement from being read as such.
func edlNote(note string) string {
	note = edlText.Replace(note)
	if statement.MatchString(note) {
		return " " + note
	}
	return note
}

var statement = lazyregexp.New(`(?i)^(?:[0-9]{3}|\*|>|TITLE:|FCM:|M2\s|SPLIT:)`)

// edlText replaces the character that separates the parts of a comment by a lookalike.
var edlText = strings.NewReplacer("|", "¦")

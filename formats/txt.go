package formats

import (
	"bytes"
	"io"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteTXT writes paragraphs, each below a line with time and speaker, as UTF-8 with LF:
//
//	[00:01:23] Ada:
//	We may say most aptly that the engine weaves algebraical patterns.
//
// Consecutive utterances of a speaker become one paragraph of at most 90 s. OmitTimestamps leaves out the times.
func WriteTXT(w io.Writer, t transcript.Transcript, o Options) error {
	s := prepareDocument(t, o)
	var b bytes.Buffer
	b.Grow(s.size())
	for i, p := range s.paragraphs() {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch {
		case o.OmitTimestamps && p.Name == "":
		case o.OmitTimestamps:
			b.WriteString(p.Name + ":\n")
		case p.Name == "":
			b.WriteString("[" + clock(p.Start) + "]\n")
		default:
			b.WriteString("[" + clock(p.Start) + "] " + p.Name + ":\n")
		}
		b.WriteString(p.Text)
		b.WriteByte('\n')
	}
	return writeFile(w, &b)
}

package formats

import (
	"bytes"
	"io"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteTXT writes paragraphs with a line of time and speaker above each, as UTF-8 with LF:
//
//	[00:01:23] Ada:
//	We may say most aptly that the engine weaves algebraical patterns.
//
// Consecutive utterances of one speaker are one paragraph, of at most two minutes. OmitTimestamps drops the times.
func WriteTXT(w io.Writer, t transcript.Transcript, o Options) error {
	s := prepareText(t, o)
	var b bytes.Buffer
	b.Grow(s.size())
	for i, p := range s.paragraphs() {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch {
		case o.OmitTimestamps && p.name == "":
		case o.OmitTimestamps:
			b.WriteString(p.name + ":\n")
		case p.name == "":
			b.WriteString("[" + clock(p.start) + "]\n")
		default:
			b.WriteString("[" + clock(p.start) + "] " + p.name + ":\n")
		}
		b.WriteString(p.text)
		b.WriteByte('\n')
	}
	return send(w, &b)
}

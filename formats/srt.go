package formats

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteSRT writes SubRip: UTF-8 without a byte order mark, CRLF, and "Name: " where the speaker changes. An empty transcript
// gives an empty file.
//
// go-astisub writes the file. SubRip has no escapes, but the library writes some, and it writes a byte order mark and LF,
// which other readers reject; it also refuses an empty transcript. WriteSRT corrects all of that. Spoken text that looks
// like a tag, such as "<i>" or "{y:i}", stays unchanged: no escape works in every player. Marks of sentences in names become lookalikes.
func WriteSRT(w io.Writer, t transcript.Transcript, o Options) error {
	o.Captions.SpeakerPrefix, o.Captions.Dialogues, o.Captions.Flat = true, true, true
	cues := prepare(t, o).withPrefixNames().cues(o)
	var b bytes.Buffer
	if len(cues) == 0 {
		return writeFile(w, &b)
	}
	for i := range cues {
		hideTimes(&cues[i], o.Captions.WithDefaults(t.Language).Lines)
	}
	if err := subtitlesOf(cues, func(text string) string { return text }).WriteToSRT(&b); err != nil {
		return err
	}
	plain := strings.TrimPrefix(b.String(), bom)
	for _, e := range srtEscapes {
		plain = strings.ReplaceAll(plain, e.written, e.text)
	}
	return writeFile(w, bytes.NewBufferString(plain))
}

// srtEscapes are the exact inverse of the library's escapes, since it escaped every &; that one is the last.
var srtEscapes = []struct{ written, text string }{{"&lt;", "<"}, {"&nbsp;", "\u00A0"}, {"&amp;", "&"}, {"\n", "\r\n"}}

// hideTimes breaks a line of spoken text that parsers would read as a time line. No word changes.
func hideTimes(c *captions.Cue, lines int) {
	for i, l := range c.Lines {
		if _, _, _, reason := timeLine(l.Text); reason != "" || len(c.Lines) >= lines {
			continue
		}
		first, rest, _ := strings.Cut(l.Text, " ")
		c.Lines = slices.Replace(slices.Clone(c.Lines), i, i+1, captions.Line{Text: first}, captions.Line{Text: rest})
		return
	}
}

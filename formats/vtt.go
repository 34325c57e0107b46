package formats

import (
	"bytes"
	"io"
	"strings"

	"github.com/asticode/go-astisub"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteVTT writes WebVTT with numbered cues and a voice tag with the speaker's name on each.
//
// go-astisub writes the file. It escapes & and < but not >, which would end a cue wherever somebody says "-->", and
// nothing in voice tags; it writes a voice tag per line, though the tag holds until the end of the cue; and it refuses an
// empty file. All of that is put right here.
func WriteVTT(w io.Writer, t transcript.Transcript, o Options) error {
	o.Captions.SpeakerPrefix = false
	cues := prepare(t, o).Cues(o.Captions)
	var b bytes.Buffer
	if len(cues) == 0 {
		b.WriteString("WEBVTT\n")
		return send(w, &b)
	}
	subtitles := subtitlesOf(cues, func(text string) string { return strings.ReplaceAll(text, ">", greaterStandIn) })
	for i, c := range cues {
		subtitles.Items[i].Lines[0].VoiceName = voiceName.Replace(c.Speaker)
	}
	if err := subtitles.WriteToWebVTT(&b); err != nil {
		return err
	}
	fixed := bytes.NewBuffer(bytes.ReplaceAll(b.Bytes(), []byte(greaterStandIn), []byte("&gt;")))
	return send(w, fixed)
}

// greaterStandIn stands for > until the library has escaped the rest. It is a noncharacter: clean text has none.
const greaterStandIn = "\uFDD0"

// voiceName replaces what can't be in a voice tag. Escapes are allowed there, but ffmpeg and others break at them, so it
// is characters that look alike.
var voiceName = strings.NewReplacer("&", "＆", "<", "‹", ">", "›")

// subtitlesOf makes the library's form of cues.
func subtitlesOf(cues []captions.Cue, text func(string) string) *astisub.Subtitles {
	s := &astisub.Subtitles{Items: make([]*astisub.Item, len(cues))}
	for i, c := range cues {
		item := &astisub.Item{StartAt: c.Start, EndAt: c.End, Lines: make([]astisub.Line, len(c.Lines))}
		for j, l := range c.Lines {
			item.Lines[j].Items = []astisub.LineItem{{Text: text(l.Text)}}
		}
		s.Items[i] = item
	}
	return s
}

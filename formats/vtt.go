package formats

import (
	"bytes"
	"io"
	"strings"

	"github.com/asticode/go-astisub"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteVTT writes WebVTT with numbered cues, each with a voice tag for its speaker.
//
// go-astisub writes the file. It doesn't escape >, so a spoken "-->" would end the cue, and escapes nothing in voice tags.
// It writes a voice tag on each line, although a tag applies until the end of the cue, and it refuses an empty transcript.
// WriteVTT corrects all of that.
func WriteVTT(w io.Writer, t transcript.Transcript, o Options) error {
	o.Captions.SpeakerPrefix = false
	cues := prepare(t, o).Cues(o.Captions)
	var b bytes.Buffer
	if len(cues) == 0 {
		b.WriteString("WEBVTT\n")
		return writeFile(w, &b)
	}
	subtitles := subtitlesOf(cues, func(text string) string { return strings.ReplaceAll(text, ">", greaterPlaceholder) })
	for i, c := range cues {
		subtitles.Items[i].Lines[0].VoiceName = voiceName.Replace(c.Speaker)
	}
	if err := subtitles.WriteToWebVTT(&b); err != nil {
		return err
	}
	fixed := bytes.NewBuffer(bytes.ReplaceAll(b.Bytes(), []byte(greaterPlaceholder), []byte("&gt;")))
	return writeFile(w, fixed)
}

// greaterPlaceholder replaces > until the library has escaped the rest. It is a noncharacter, which clean text never has.
const greaterPlaceholder = "\uFDD0"

// voiceName replaces characters that a voice tag can't have by lookalikes. Escapes are allowed there, but ffmpeg and others
// don't parse them.
var voiceName = strings.NewReplacer("&", "＆", "<", "‹", ">", "›")

// subtitlesOf converts cues to the library's type.
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

package formats

import (
	"bytes"
	"io"
	"strings"

	"github.com/asticode/go-astisub"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// WriteVTT writes WebVTT with numbered cues, each with a voice tag for its speaker. VoiceColours adds a style sheet. VisibleNames begins
// each turn with "Name: " in a span of the class "speaker", which ParseVTT takes out again.
//
// go-astisub writes the file. It doesn't escape >, so a spoken "-->" would end the cue, and escapes nothing in voice tags.
// It writes a voice tag on each line, although a tag applies until the end of the cue, it refuses an empty transcript, and the order of
// its styles is random. WriteVTT corrects all of that.
func WriteVTT(w io.Writer, t transcript.Transcript, o Options) error {
	o.Captions.SpeakerPrefix, o.Captions.Dialogues = o.VisibleNames, true
	cues := prepare(t, o).cues(o)
	var b bytes.Buffer
	if len(cues) == 0 {
		b.WriteString("WEBVTT\n")
		return writeFile(w, &b)
	}
	subtitles := subtitlesOf(cues, func(text string) string { return strings.ReplaceAll(text, ">", greaterPlaceholder) })
	for i, c := range cues {
		if o.VisibleNames {
			markNames(subtitles.Items[i], c)
		}
		subtitles.Items[i].Lines[0].VoiceName = voiceName.Replace(c.Speaker)
		if c.Dialogue() {
			setVoices(subtitles.Items[i], c)
		}
	}
	if err := subtitles.WriteToWebVTT(&b); err != nil {
		return err
	}
	fixed := b.String()
	for _, t := range vttTags { // in one pass over Chinese text, strings.Replacer takes longer
		fixed = strings.ReplaceAll(fixed, t.placeholder, t.tag)
	}
	if o.VoiceColours {
		fixed = strings.Replace(fixed, "\n\n", "\n\n"+voiceStyles(cues), 1)
	}
	return writeFile(w, bytes.NewBufferString(fixed))
}

// setVoices gives each line of a dialogue the voice tag of its speaker, which ends with the line.
func setVoices(item *astisub.Item, c captions.Cue) {
	for i, l := range c.Lines {
		item.Lines[i].VoiceName = voiceName.Replace(l.Speaker)
		if l.Speaker != "" {
			item.Lines[i].Items[0].Text += endPlaceholder
		}
	}
}

// markNames puts the visible names of a cue into spans.
func markNames(item *astisub.Item, c captions.Cue) {
	for i, l := range c.Lines {
		name, lead := c.Speaker, ""
		if c.Dialogue() {
			name, lead = l.Speaker, "- "
		}
		spoken := strings.TrimPrefix(l.Text, lead)
		if prefix := name + ":"; name != "" && strings.HasPrefix(spoken, prefix) && !captions.SameLetters(spoken, l.Words) {
			text := &item.Lines[i].Items[0].Text
			at := len(lead) + len(strings.ReplaceAll(prefix, ">", greaterPlaceholder))
			*text = lead + namePlaceholder + (*text)[len(lead):at] + nameEndPlaceholder + (*text)[at:]
		}
	}
}

// The placeholders replace > and tags until the library has escaped the rest. They are noncharacters, which clean text never has.
const (
	greaterPlaceholder = "\uFDD0"
	endPlaceholder     = "\uFDD1"
	namePlaceholder    = "\uFDD2"
	nameEndPlaceholder = "\uFDD3"
)

var vttTags = []struct{ placeholder, tag string }{
	{greaterPlaceholder, "&gt;"}, {endPlaceholder, "</v>"}, {namePlaceholder, "<c.speaker>"}, {nameEndPlaceholder, "</c>"},
}

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

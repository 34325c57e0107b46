package formats

import (
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// script is the content of a file: a normalised transcript, its title and its recording's ID.
type script struct {
	title       string
	recordingID string
	captions.Script
}

// assigned reports whether the speaker has an assigned name.
func assigned(u captions.Utterance) bool { return u.Name != u.Label }

// prepare normalises a transcript for a writer that needs its words.
func prepare(t transcript.Transcript, o Options) script { return prepareScript(t, o, true) }

// prepareText normalises a transcript for a writer that needs only the text of its utterances.
func prepareText(t transcript.Transcript, o Options) script { return prepareScript(t, o, false) }

func prepareScript(t transcript.Transcript, o Options, words bool) script {
	return script{title: captions.CleanText(o.Title), recordingID: captions.CleanText(o.RecordingID), Script: captions.Prepare(t, o.Names, words)}
}

// cues breaks a transcript into the captions of a file.
func (s script) cues(o Options) []captions.Cue {
	cues := s.Cues(o.Captions)
	if o.OnCaptions != nil {
		o.OnCaptions(cues)
	}
	return cues
}

// speakers returns the names of all speakers in order of appearance.
func (s script) speakers() []string {
	var names []string
	for _, u := range s.Utterances {
		if u.Name != "" && !slices.Contains(names, u.Name) {
			names = append(names, u.Name)
		}
	}
	return names
}

// length returns the duration of the media, or the end of the speech if that is unknown.
func (s script) length() time.Duration {
	if s.Duration > 0 {
		return s.Duration
	}
	var end time.Duration
	for _, u := range s.Utterances {
		end = max(end, u.End)
	}
	return end
}

// size estimates the bytes of a text format.
func (s script) size() int {
	n := 128
	for _, u := range s.Utterances {
		n += len(u.Text) + len(u.Name) + 64
	}
	return n
}

// milliseconds converts a time for output. Normalised times are whole milliseconds.
func milliseconds(d time.Duration) int64 { return d.Milliseconds() }

// text returns the spoken text of all utterances.
func (s script) text() string {
	var b strings.Builder
	for _, u := range s.Utterances {
		b.WriteString(u.Text)
	}
	return b.String()
}

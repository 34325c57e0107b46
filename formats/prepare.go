package formats

import (
	"slices"
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

// paragraphMax limits the length of merged paragraphs, so that even an hour-long monologue has times to navigate by.
const paragraphMax = 2 * time.Minute

// paragraphs merges consecutive utterances of a speaker, for formats that are read rather than watched.
func (s script) paragraphs() []captions.Utterance {
	merged := make([]captions.Utterance, 0, len(s.Utterances))
	var texts []transcript.Word
	for i := 0; i < len(s.Utterances); {
		u, j := s.Utterances[i], i+1
		texts = append(texts[:0], transcript.Word{Text: u.Text})
		for ; j < len(s.Utterances); j++ {
			next := s.Utterances[j]
			if next.Label != u.Label || max(u.End, next.End)-u.Start > paragraphMax {
				break
			}
			texts = append(texts, transcript.Word{Text: next.Text})
			u.End = max(u.End, next.End)
		}
		if len(texts) > 1 {
			u.Text = transcript.JoinWords(texts, s.Language)
		}
		u.Words = nil
		merged = append(merged, u)
		i = j
	}
	return merged
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

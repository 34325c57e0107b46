package formats

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// script is what a file is made of: a prepared transcript with what only files say.
type script struct {
	title       string
	recordingID string
	preparedScript
}

// assigned reports whether the speaker has a name of their own.
func assigned(u utterance) bool { return u.name != u.label }

// prepare is the way from a transcript to a writer that needs its words.
func prepare(t transcript.Transcript, o Options) script { return prepareScript(t, o, true) }

// prepareText is the way from a transcript to a writer that needs only the text of its utterances.
func prepareText(t transcript.Transcript, o Options) script { return prepareScript(t, o, false) }

func prepareScript(t transcript.Transcript, o Options, words bool) script {
	return script{title: cleanText(o.Title), recordingID: cleanText(o.RecordingID), preparedScript: prepareUtterances(t, o.Names, words)}
}

// paragraphMax is how long a paragraph may get by merging: whoever speaks for an hour is still given times to find a
// place by.
const paragraphMax = 2 * time.Minute

// paragraphs merges consecutive utterances of one speaker, for formats that are read rather than watched.
func (s script) paragraphs() []utterance {
	merged := make([]utterance, 0, len(s.utterances))
	var texts []transcript.Word
	for i := 0; i < len(s.utterances); {
		u, j := s.utterances[i], i+1
		texts = append(texts[:0], transcript.Word{Text: u.text})
		for ; j < len(s.utterances); j++ {
			next := s.utterances[j]
			if next.label != u.label || max(u.end, next.end)-u.start > paragraphMax {
				break
			}
			texts = append(texts, transcript.Word{Text: next.text})
			u.end = max(u.end, next.end)
		}
		if len(texts) > 1 {
			u.text = transcript.JoinWords(texts, s.language)
		}
		u.words = nil
		merged = append(merged, u)
		i = j
	}
	return merged
}

// speakers returns the names of all speakers in order of their first words.
func (s script) speakers() []string {
	var names []string
	for _, u := range s.utterances {
		if u.name != "" && !slices.Contains(names, u.name) {
			names = append(names, u.name)
		}
	}
	return names
}

// length returns the duration of the media, or where the speech ends when that is not known.
func (s script) length() time.Duration {
	if s.duration > 0 {
		return s.duration
	}
	var end time.Duration
	for _, u := range s.utterances {
		end = max(end, u.end)
	}
	return end
}

// size is roughly how many bytes a text format needs.
func (s script) size() int {
	n := 128
	for _, u := range s.utterances {
		n += len(u.text) + len(u.name) + 64
	}
	return n
}

// milliseconds is the form of times on the wire. Prepared times are whole ones.
func milliseconds(d time.Duration) int64 { return d.Milliseconds() }

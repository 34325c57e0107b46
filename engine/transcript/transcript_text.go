package transcript

import (
	"slices"
	"strings"
	"time"
)

// Transcript is the speech of one piece of media. Times are whole milliseconds from the start of the media; every word is inside
// it.
type Transcript struct {
	Language   Language      // "" for unknown
	Duration   time.Duration // of the media; 0 for unknown
	Utterances []Utterance   // in order of their start
}

// Utterance is a paragraph of one speaker.
type Utterance struct {
	Speaker    string // label, "Speaker 0"
	Text       string
	Start, End time.Duration
	Confidence float64 // 0 to 1: the mean of its words
	Words      []Word
}

// Word is one spoken word, with the punctuation that follows it.
type Word struct {
	Text       string
	Start, End time.Duration // Start < End
	Confidence float64       // 0 to 1
	Speaker    string        // label; "" when the transcriber doesn't know
	Estimated  bool          // Start and End are interpolated, because the transcriber returned only a longer interval
}

// Words returns all words of all utterances, in the utterances' order.
func (t Transcript) Words() []Word {
	var words []Word
	for _, u := range t.Utterances {
		words = append(words, u.Words...)
	}
	return words
}

// Labels returns the speaker labels of the transcript, in label order.
func (t Transcript) Labels() []string {
	var labels []string
	known := map[string]bool{}
	for _, u := range t.Utterances {
		if !known[u.Speaker] {
			known[u.Speaker] = true
			labels = append(labels, u.Speaker)
		}
	}
	slices.SortFunc(labels, compareLabels)
	return labels
}

// AudioSeconds returns the duration in whole seconds, rounded half up, as the API returns it.
func (t Transcript) AudioSeconds() int64 {
	return int64((t.Duration + 500*time.Millisecond) / time.Second)
}

// TimeAt returns the start of the word at a byte offset of the utterance's text.
func (u Utterance) TimeAt(at int) time.Duration {
	spoken, next := u.Start, 0
	for _, w := range u.Words {
		i := strings.Index(u.Text[next:], w.Text)
		if i < 0 {
			continue
		}
		if next+i > at {
			break
		}
		spoken, next = w.Start, next+i+len(w.Text)
	}
	return spoken
}

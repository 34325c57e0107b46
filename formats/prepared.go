package formats

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// preparedScript is a transcript as writers want it. Whatever came in: text is clean, nothing is empty, utterances are in order of
// their start, times are whole milliseconds from 0 up, and every end is later than its start.
type preparedScript struct {
	language   transcript.Language
	duration   time.Duration
	utterances []utterance
}

// utterance is a paragraph of one speaker.
type utterance struct {
	label      string // "" when nobody knows who speaks
	name       string // what readers see: the assigned name, else the label
	text       string
	start, end time.Duration
	confidence float64
	words      []transcript.Word // in the order of the text; their starts never run backwards; nil when only text was asked for
}

// maxTime bounds the times that are written, so that sums can't overflow: ten thousand hours.
const maxTime = 10_000 * time.Hour

// prepareUtterances cleans a transcript. names are those of speakers, by label; other labels are shown as they are. Without words, only
// the text of the utterances is prepared.
func prepareUtterances(t transcript.Transcript, names map[string]string, words bool) preparedScript {
	s := preparedScript{language: t.Language, duration: cleanTime(t.Duration), utterances: make([]utterance, 0, len(t.Utterances))}
	known := map[string]string{}
	for label, name := range names {
		if name = cleanText(name); name != "" {
			known[cleanText(label)] = name
		}
	}
	for _, in := range t.Utterances {
		if u, ok := prepareUtterance(in, t.Language, words); ok {
			u.name = u.label
			if name, ok := known[u.label]; ok {
				u.name = name
			}
			s.utterances = append(s.utterances, u)
		}
	}
	slices.SortStableFunc(s.utterances, func(a, b utterance) int { return cmp.Compare(a.start, b.start) })
	return s
}

func prepareUtterance(in transcript.Utterance, language transcript.Language, words bool) (utterance, bool) {
	u := utterance{
		label:      cleanText(in.Speaker),
		text:       cleanText(in.Text),
		start:      cleanTime(in.Start),
		end:        cleanTime(in.End),
		confidence: cleanConfidence(in.Confidence),
	}
	if words || u.text == "" {
		u.words = cleanWords(in.Words)
	}
	if u.text == "" {
		u.text = transcript.JoinWords(u.words, language)
	}
	if u.end <= u.start {
		for _, w := range in.Words {
			u.end = max(u.end, cleanTime(w.End))
		}
	}
	u.end = max(u.end, u.start+time.Millisecond)
	timeWords(u.words, u.start, u.end)
	return u, u.text != ""
}

func cleanWords(in []transcript.Word) []transcript.Word {
	words := make([]transcript.Word, 0, len(in))
	for _, w := range in {
		w.Text, w.Speaker = cleanText(w.Text), cleanText(w.Speaker)
		w.Start, w.End, w.Confidence = cleanTime(w.Start), cleanTime(w.End), cleanConfidence(w.Confidence)
		if w.Text != "" {
			words = append(words, w)
		}
	}
	return words
}

// cleanTime rounds to milliseconds and puts a time into the range that can be written.
func cleanTime(d time.Duration) time.Duration {
	return min(max(d.Round(time.Millisecond), 0), maxTime)
}

// sameLetters reports whether two texts are equal but for their spaces.
func sameLetters(text string, words []transcript.Word) bool {
	rest := text
	for _, w := range words {
		for part := range strings.SplitSeq(w.Text, " ") {
			var ok bool
			if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), part); !ok {
				return false
			}
		}
	}
	return strings.TrimLeft(rest, " ") == ""
}

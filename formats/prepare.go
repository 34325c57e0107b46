package formats

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// script is a transcript as the writers want it. Whatever came in: text is clean, nothing is empty, utterances are in
// order of their start, times are whole milliseconds from 0 up, and every end is later than its start.
type script struct {
	title       string
	recordingID string
	language    transcript.Language
	duration    time.Duration
	utterances  []utterance
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

// assigned reports whether the speaker has a name of their own.
func (u utterance) assigned() bool { return u.name != u.label }

// maxTime bounds the times that are written, so that sums can't overflow: ten thousand hours.
const maxTime = 10_000 * time.Hour

// prepare is the way from a transcript to a writer that needs its words.
func prepare(t transcript.Transcript, o Options) script { return prepareScript(t, o, true) }

// prepareText is the way from a transcript to a writer that needs only the text of its utterances.
func prepareText(t transcript.Transcript, o Options) script { return prepareScript(t, o, false) }

func prepareScript(t transcript.Transcript, o Options, words bool) script {
	s := script{
		title:       cleanText(o.Title),
		recordingID: cleanText(o.RecordingID),
		language:    t.Language,
		duration:    cleanTime(t.Duration),
		utterances:  make([]utterance, 0, len(t.Utterances)),
	}
	names := map[string]string{}
	for label, name := range o.Names {
		if name = cleanText(name); name != "" {
			names[cleanText(label)] = name
		}
	}
	for _, in := range t.Utterances {
		if u, ok := prepareUtterance(in, t.Language, words); ok {
			u.name = u.label
			if name, ok := names[u.label]; ok {
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

// milliseconds is the form of times on the wire. Prepared times are whole ones.
func milliseconds(d time.Duration) int64 { return d.Milliseconds() }

package captions

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Script is a transcript ready for writing. Whatever the input: text is clean, nothing is empty, utterances are sorted by start,
// times are whole milliseconds from 0, and every end is after its start.
type Script struct {
	Language   transcript.Language
	Duration   time.Duration
	Utterances []Utterance
}

// Utterance is a paragraph of one speaker.
type Utterance struct {
	Label      string // "" when the speaker is unknown
	Name       string // for readers: the assigned name, else the label
	Text       string
	Start, End time.Duration
	Confidence float64
	Words      []transcript.Word // in text order, with speakers, starts never decrease; nil when only the text was requested
}

// Words returns the words of the utterances, with times and with their speakers, as captions in videos need them: joined as the texts write
// them, and sorted by start. The words of an utterance without words share its duration.
func (s Script) Words() []transcript.Word {
	timed := transcript.Transcript{Language: s.Language}
	for _, u := range s.Utterances {
		words, _ := u.timed(nil, s.Language)
		timed.Utterances = append(timed.Utterances, transcript.Utterance{Text: u.Text, Words: withSpeaker(words, u.Label)})
	}
	words := timed.JoinedWords()
	slices.SortStableFunc(words, func(a, b transcript.Word) int { return cmp.Compare(a.Start, b.Start) })
	return words
}

// MaxTime is the latest time that is written, so that sums can't overflow: 10,000 hours.
const MaxTime = 10_000 * time.Hour

// Prepare cleans a transcript. names has speaker names by label; other labels are shown as they are. If words is false, only the
// text of the utterances is prepared.
func Prepare(t transcript.Transcript, names map[string]string, words bool) Script {
	s := Script{Language: t.Language, Duration: cleanTime(t.Duration.Truncate(time.Millisecond)), Utterances: make([]Utterance, 0, len(t.Utterances))}
	known := map[string]string{}
	for label, name := range names {
		if name = CleanText(name); name != "" {
			known[CleanText(label)] = name
		}
	}
	for _, in := range t.Utterances {
		if u, ok := prepareUtterance(in, t.Language, words); ok {
			u.Name = u.Label
			if name, ok := known[u.Label]; ok {
				u.Name = name
			}
			s.Utterances = append(s.Utterances, u)
		}
	}
	slices.SortStableFunc(s.Utterances, func(a, b Utterance) int { return cmp.Compare(a.Start, b.Start) })
	return s
}

func prepareUtterance(in transcript.Utterance, language transcript.Language, words bool) (Utterance, bool) {
	u := Utterance{
		Label:      CleanText(in.Speaker),
		Text:       CleanText(in.Text),
		Start:      cleanTime(in.Start),
		End:        cleanTime(in.End),
		Confidence: cleanConfidence(in.Confidence),
	}
	if words || u.Text == "" {
		u.Words = cleanWords(in.Words, u.Label)
	}
	if u.Text == "" {
		u.Text = transcript.JoinWords(u.Words, language)
	}
	if u.End <= u.Start {
		for _, w := range in.Words {
			u.End = max(u.End, cleanTime(w.End))
		}
	}
	u.End = max(u.End, u.Start+time.Millisecond)
	timeWords(u.Words, u.Start, u.End)
	return u, u.Text != ""
}

// cleanWords returns clean words. Those without a speaker get the given one.
func cleanWords(in []transcript.Word, label string) []transcript.Word {
	words := make([]transcript.Word, 0, len(in))
	raw, speaker := "", label // most words have the same speaker
	for _, w := range in {
		if w.Speaker != raw {
			raw, speaker = w.Speaker, cmp.Or(CleanText(w.Speaker), label)
		}
		w.Text, w.Speaker = CleanText(w.Text), speaker
		w.Start, w.End, w.Confidence = cleanTime(w.Start), cleanTime(w.End), cleanConfidence(w.Confidence)
		if w.Text != "" {
			words = append(words, w)
		}
	}
	return words
}

// cleanTime rounds to milliseconds and limits the result to 0 to MaxTime.
func cleanTime(d time.Duration) time.Duration {
	return (min(max(d, 0), MaxTime) + time.Millisecond/2) / time.Millisecond * time.Millisecond
}

// SameLetters reports whether two texts are equal except for spaces and no-break spaces.
func SameLetters(text string, words []transcript.Word) bool {
	rest := text
	for _, w := range words {
		for _, r := range w.Text {
			if isSpaceOrJoiner(r) {
				continue
			}
			rest = strings.TrimLeftFunc(rest, isSpaceOrJoiner)
			first, n := utf8.DecodeRuneInString(rest)
			if n == 0 || first != r {
				return false
			}
			rest = rest[n:]
		}
	}
	return strings.TrimLeftFunc(rest, isSpaceOrJoiner) == ""
}

// isSpaceOrJoiner reports whether r is a space, or a no-break space, which transcribers write in texts, but not in words.
func isSpaceOrJoiner(r rune) bool { return r == ' ' || strings.ContainsRune(noBreakSpaces, r) }

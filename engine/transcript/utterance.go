package transcript

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	utterancePause = 1500 * time.Millisecond // a longer pause ends an utterance
	utteranceMax   = 60 * time.Second        // an utterance this long ends at the next sentence end
	utteranceLimit = 90 * time.Second        // an utterance this long ends at the next word
)

// SpeakerLabel returns the label of the n-th speaker, "Speaker 0".
func SpeakerLabel(n int) string { return "Speaker " + strconv.Itoa(n) }

// compareLabels orders "Speaker 2" before "Speaker 10", and labels of other forms last.
func compareLabels(a, b string) int {
	number := func(s string) int {
		if n, ok := labelNumber(s); ok {
			return n
		}
		return int(^uint(0) >> 1)
	}
	if d := number(a) - number(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}

// labelNumber returns the number of a label; ok is false for other forms.
func labelNumber(label string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(label, "Speaker "))
	return n, err == nil
}

// TidyWords returns words as a Transcript requires them: sorted by start, inside the media, in whole milliseconds, each at least 1 ms
// long. Texts are non-empty, valid UTF-8, and one line.
func TidyWords(words []Word, duration time.Duration) []Word {
	duration = duration.Truncate(time.Millisecond)
	out := make([]Word, 0, len(words))
	for _, w := range words {
		w.Text = OneLine(strings.ToValidUTF8(w.Text, "\uFFFD"))
		w.Start, w.End = w.Start.Round(time.Millisecond), w.End.Round(time.Millisecond)
		w.Start = min(max(w.Start, 0), max(0, duration-time.Millisecond))
		w.End = min(max(w.End, w.Start+time.Millisecond), max(duration, time.Millisecond))
		if w.Confidence = min(max(w.Confidence, 0), 1); w.Confidence != w.Confidence { // not a number
			w.Confidence = 0
		}
		if w.Text != "" {
			out = append(out, w)
		}
	}
	slices.SortStableFunc(out, func(a, b Word) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// TidyUtterances returns utterances as a Transcript requires them: their words as TidyWords returns them, with the utterance's speaker, and
// sorted by start. An utterance without a speaker has that of the one before it, or else the first one that is known, or Speaker 0. One
// without text has that of its words; if there are none, it is left out.
func TidyUtterances(utterances []Utterance, duration time.Duration, language Language) []Utterance {
	out := make([]Utterance, 0, len(utterances))
	for _, u := range utterances {
		u.Speaker, u.Words = OneLine(strings.ToValidUTF8(u.Speaker, "\uFFFD")), TidyWords(u.Words, duration)
		if u.Text = OneLine(strings.ToValidUTF8(u.Text, "\uFFFD")); u.Text == "" {
			u.Text = JoinWords(u.Words, language)
		}
		if u.Text == "" {
			continue
		}
		whole := TidyWords([]Word{{Text: u.Text, Start: u.Start, End: u.End, Confidence: u.Confidence}}, duration)[0]
		u.Start, u.End, u.Confidence = whole.Start, whole.End, whole.Confidence
		for _, w := range u.Words {
			u.Start, u.End = min(u.Start, w.Start), max(u.End, w.End)
		}
		out = append(out, u)
	}
	slices.SortStableFunc(out, func(a, b Utterance) int { return cmp.Compare(a.Start, b.Start) })
	last := SpeakerLabel(0)
	if i := slices.IndexFunc(out, func(u Utterance) bool { return u.Speaker != "" }); i >= 0 {
		last = out[i].Speaker
	}
	for i := range out {
		out[i].Speaker = cmp.Or(out[i].Speaker, last)
		last = out[i].Speaker
		for k := range out[i].Words {
			out[i].Words[k].Speaker = last
		}
	}
	return out
}

// OneLine removes control characters and replaces white space by single spaces. It keeps no-break spaces, which French puts
// before question marks.
func OneLine(s string) string {
	parts := strings.FieldsFunc(strings.Map(dropControl, s), func(r rune) bool { return r == ' ' })
	return strings.Join(parts, " ")
}

func dropControl(r rune) rune {
	switch {
	case unicode.IsSpace(r) && r != '\u00a0' && r != '\u202f': // U+0085, U+2028 and U+2029 are spaces too
		return ' '
	case unicode.IsControl(r) || r == '\uFEFF':
		return -1
	}
	return r
}

// AssignSpeakers labels each word with the speaker of the turn it overlaps most, or of the nearest turn if it overlaps none.
// Second turns don't count. Without turns, all words are Speaker 0's. It is used when the Diarizer is not a WordAssigner.
func AssignSpeakers(words []Word, turns []Turn) []Word {
	for i := range words {
		speaker, best := 0, time.Duration(-1<<62)
		for _, t := range turns {
			if t.Second {
				continue
			}
			// Positive: the overlap. Negative: the distance.
			if overlap := min(words[i].End, t.End) - max(words[i].Start, t.Start); overlap > best {
				speaker, best = t.Speaker, overlap
			}
		}
		words[i].Speaker = SpeakerLabel(speaker)
	}
	return words
}

// FillSpeakers gives words without a speaker the speaker of the previous word, or of the first word that has one. It changes
// nothing if no word has a speaker.
func FillSpeakers(words []Word) {
	i := slices.IndexFunc(words, func(w Word) bool { return w.Speaker != "" })
	if i < 0 {
		return
	}
	last := words[i].Speaker
	for j := range words {
		if words[j].Speaker == "" {
			words[j].Speaker = last
		}
		last = words[j].Speaker
	}
}

// Relabel renames speaker labels to "Speaker 0", "Speaker 1", … by first appearance.
func Relabel(words []Word) {
	names := map[string]string{}
	for i, w := range words {
		if _, ok := names[w.Speaker]; !ok {
			names[w.Speaker] = SpeakerLabel(len(names))
		}
		words[i].Speaker = names[w.Speaker]
	}
}

// BuildUtterances groups words, which have speakers and are sorted, into paragraphs of one speaker. A paragraph ends at a pause
// over 1.5 s, at a sentence end after 60 s, or at any word after 90 s.
func BuildUtterances(words []Word, language Language) []Utterance {
	utterances := []Utterance{}
	for i, w := range words {
		if i == 0 || endsUtterance(utterances[len(utterances)-1], w, language) {
			utterances = append(utterances, Utterance{Speaker: w.Speaker, Start: w.Start, End: w.End})
		}
		u := &utterances[len(utterances)-1]
		u.Words = append(u.Words, w)
		u.End = max(u.End, w.End)
	}
	for i := range utterances {
		u := &utterances[i]
		u.Confidence = meanConfidence(u.Words)
		u.Text = JoinWords(u.Words, language)
	}
	return utterances
}

func endsUtterance(u Utterance, next Word, l Language) bool {
	last := u.Words[len(u.Words)-1]
	length := next.End - u.Start
	return next.Speaker != u.Speaker || next.Start-u.End > utterancePause ||
		length > utteranceLimit || (length > utteranceMax && EndsSentence(last.Text, next.Text, l))
}

// LastRune returns the last character of s.
func LastRune(s string) string {
	_, n := utf8.DecodeLastRuneInString(s)
	return s[len(s)-n:]
}

// JoinWords joins words as the language writes them: with spaces, or without between Chinese or Japanese characters.
func JoinWords(words []Word, language Language) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 && !(!language.Spaced() && (IsWide(LastRune(words[i-1].Text)) || IsWide(w.Text))) {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// IsWide reports whether s begins with a character that Chinese and Japanese write without surrounding spaces.
func IsWide(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー' ||
		(r >= 0x3000 && r <= 0x303f) || (r >= 0xff00 && r <= 0xffef)
}

// String returns the word with its times, for logs and tests.
func (w Word) String() string { return fmt.Sprintf("%s[%v–%v]", w.Text, w.Start, w.End) }

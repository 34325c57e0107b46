package transcript

import (
	"slices"
	"strings"
	"time"
)

// The functions of this file return a changed copy of a transcript, which shares the unchanged utterances. i is the number of an utterance,
// from 0. Utterances stay in order of their start, and their words, too.

// SetText is Realign of utterance i.
func SetText(t Transcript, i int, text string) (Transcript, []Change) {
	u, changes := Realign(t.Utterances[i], text, t.Language)
	if i+1 < len(t.Utterances) {
		keepBefore(u.Words, t.Utterances[i+1].Start)
	}
	return put(t, i, i+1, u), changes
}

// keepBefore lowers the estimated starts of words that are after a limit, the start of the next utterance.
func keepBefore(words []Word, limit time.Duration) {
	for k := 1; k < len(words); k++ {
		if w := &words[k]; w.Estimated {
			w.Start = min(w.Start, max(limit, words[k-1].Start))
		}
	}
}

// SetSpeaker gives utterance i and its words another label.
func SetSpeaker(t Transcript, i int, label string) Transcript {
	return put(t, i, i+1, spokenBy(t.Utterances[i], label))
}

func spokenBy(u Utterance, label string) Utterance {
	u.Speaker, u.Words = label, slices.Clone(u.Words)
	for k := range u.Words {
		u.Words[k].Speaker = label
	}
	return u
}

// Merge joins utterance i and the next one, which gets its label.
func Merge(t Transcript, i int) Transcript {
	u, next := t.Utterances[i], spokenBy(t.Utterances[i+1], t.Utterances[i].Speaker)
	space := " "
	if u.Text == "" || next.Text == "" || !t.Language.Spaced() && (IsWide(LastRune(u.Text)) || IsWide(next.Text)) {
		space = ""
	}
	u.Text += space + next.Text
	u.End = max(u.End, next.End)
	if words := slices.Concat(u.Words, next.Words); len(words) > 0 {
		u = withWords(u, words)
	}
	return put(t, i, i+2, u)
}

// Split makes a new utterance of the words of utterance i from number word on, which is neither the first nor beyond the last.
func Split(t Transcript, i, word int) Transcript {
	u := t.Utterances[i]
	first, second := u, u
	first.Text, second.Text = JoinWords(u.Words[:word], t.Language), JoinWords(u.Words[word:], t.Language)
	if spans, ok := wordSpans(u); ok {
		first.Text, second.Text = strings.TrimRight(u.Text[:spans[word].start], " "+noBreakSpaces), u.Text[spans[word].start:]
	}
	return put(t, i, i+1, withWords(first, slices.Clone(u.Words[:word])), withWords(second, slices.Clone(u.Words[word:])))
}

// Remove removes utterance i.
func Remove(t Transcript, i int) Transcript { return put(t, i, i+1) }

// put replaces the utterances from number from up to number to.
func put(t Transcript, from, to int, now ...Utterance) Transcript {
	t.Utterances = slices.Concat(t.Utterances[:from], now, t.Utterances[to:])
	return t
}

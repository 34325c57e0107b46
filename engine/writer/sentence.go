package writer

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/prose"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// sentence is a sentence of a transcript.
type sentence struct {
	text      string // one line, verbatim
	speaker   string
	start     time.Duration // of its first word
	label     string        // of its passage
	utterance int           // index of its utterance
	words     []expression
	terms     []int // numbers of its terms, sorted
	length    int   // in words; two characters count as one word in scripts without spaces
	question  bool
	dependent bool // needs the sentence before it to be understood
	repeated  bool // the same text occurred before
}

// addUtterance adds the sentences of an utterance.
func (t *corpus) addUtterance(u transcript.Utterance, label string, read *reader) {
	u.Text, u.Speaker = prose.Line(u.Text), prose.Line(u.Speaker)
	u.Start = max(u.Start, 0)
	u.End = max(u.End, u.Start)
	pieces := prose.Sentences(u.Text, read.language)
	if len(pieces) == 0 {
		return
	}
	starts := startsOf(u, pieces)
	for i, p := range pieces {
		text := u.Text[p.From:p.To]
		r := sentence{
			text: text, speaker: u.Speaker, start: starts[i], label: label, utterance: len(t.utterances),
			words: read.expressions(text), question: strings.ContainsAny(text, "?？"),
		}
		r.length, r.dependent = lengthOf(text), read.needsContext(text)
		for _, w := range r.words {
			for _, term := range w.terms {
				r.terms = append(r.terms, t.termNumber(term))
			}
		}
		slices.Sort(r.terms)
		r.terms = slices.Compact(r.terms)
		t.sentences = append(t.sentences, r)
	}
	t.utterances = append(t.utterances, u)
}

// startsOf returns the start of each piece of an utterance: that of its first word, or of the utterance if the words don't match the text.
func startsOf(u transcript.Utterance, pieces []prose.Piece) []time.Duration {
	starts := make([]time.Duration, len(pieces))
	for i := range starts {
		starts[i] = u.Start
	}
	at, next := 0, 0
	for _, w := range u.Words {
		word := prose.Line(w.Text)
		i := strings.Index(u.Text[at:], word)
		if i < 0 || word == "" {
			continue
		}
		for next < len(pieces) && pieces[next].From <= at+i {
			starts[next] = max(w.Start, u.Start)
			next++
		}
		at += i + len(word)
	}
	for i := 1; i < len(starts); i++ {
		starts[i] = max(starts[i], starts[i-1])
	}
	return starts
}

// lengthOf counts words. Two characters of a script without spaces count as one word.
func lengthOf(text string) int {
	n := 2 * len(strings.Fields(text))
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			n++
		}
	}
	return (n + 1) / 2
}

// needsContext reports whether a sentence begins with a word that refers to the sentence before it, or is only a reaction.
func (t *lexicon) needsContext(text string) bool {
	if t.language.Spaced() {
		first, _, _ := strings.Cut(text, " ")
		first = strings.TrimFunc(first, func(r rune) bool { return !prose.IsSpoken(r) && !unicode.IsMark(r) })
		return t.contextWords[transcript.Fold(first)]
	}
	for n, i := 0, 0; n < 5 && i < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if t.contextWords[text[:i]] {
			return true
		}
	}
	return false
}

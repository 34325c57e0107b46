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

// remark is one sentence of a transcript.
type remark struct {
	text    string // one line, verbatim
	speaker string
	start   time.Duration // of its first word
	label   string        // of the passage that it is in
	said    int           // index of its utterance
	words   []expression
	terms   []int // numbers of its terms, ascending
	length  int   // words, or what is as long
	asks    bool
	weak    bool // leans on what is said before
	again   bool // was said before, word for word
}

// listen adds an utterance.
func (t *talk) listen(u transcript.Utterance, label string, read *reader) {
	u.Text, u.Speaker = prose.Line(u.Text), prose.Line(u.Speaker)
	u.Start = max(u.Start, 0)
	u.End = max(u.End, u.Start)
	pieces := prose.Cut(u.Text, read.language)
	if len(pieces) == 0 {
		return
	}
	starts := startsOf(u, pieces)
	for i, p := range pieces {
		text := u.Text[p.From:p.To]
		r := remark{
			text: text, speaker: u.Speaker, start: starts[i], label: label, said: len(t.said),
			words: read.expressions(text), asks: strings.ContainsAny(text, "?？"),
		}
		r.length, r.weak = lengthOf(text), read.leans(text)
		for _, w := range r.words {
			for _, term := range w.terms {
				r.terms = append(r.terms, t.number(term))
			}
		}
		slices.Sort(r.terms)
		r.terms = slices.Compact(r.terms)
		t.remarks = append(t.remarks, r)
	}
	t.said = append(t.said, u)
}

// startsOf returns when each piece of an utterance begins: with its first word, or with the utterance when words don't
// spell its text.
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

// lengthOf counts words, and two characters of a script without spaces as one.
func lengthOf(text string) int {
	n := 2 * len(strings.Fields(text))
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			n++
		}
	}
	return (n + 1) / 2
}

// leans reports whether a sentence begins with a word that points to the sentence before it, or is a mere reaction.
func (t *tongue) leans(text string) bool {
	if t.language.Spaced() {
		first, _, _ := strings.Cut(text, " ")
		first = strings.TrimFunc(first, func(r rune) bool { return !prose.Sounds(r) && !unicode.IsMark(r) })
		return t.weak[transcript.Fold(first)]
	}
	for n, i := 0, 0; n < 5 && i < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if t.weak[text[:i]] {
			return true
		}
	}
	return false
}

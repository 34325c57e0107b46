package phrases

import (
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Boundary is a place in a text where a line may break.
type Boundary struct {
	Offset int // bytes before the break; 0 < Offset < len(text)
	Score  int // 1 to 100; higher is better
}

// Scores of boundaries that need no model.
const (
	scoreSentence = 100 // after 。？！…
	scoreClause   = 90  // after 、 and other punctuation
	scoreSpace    = 80  // after a space
)

// Boundaries returns the places where a line of text may break, in order. Chinese and Japanese break between phrases: a phrase is a word
// with the particles and endings that belong to it. Other languages break after spaces only.
//
// No boundary is inside a number or a word of Latin letters or katakana, before punctuation that closes, or after punctuation that opens.
// A number keeps the character after it, which is its unit.
func Boundaries(text string, l transcript.Language) []Boundary {
	if text == "" {
		return nil
	}
	m := modelOf(l)
	t := newText([]rune(text), m)
	var out []Boundary
	offset := 0
	for i := 1; i < len(t.runes); i++ {
		offset += runeLength(t.runes[i-1], text[offset:])
		if joined(t.runes, t.kinds, i) {
			continue
		}
		if score := score(m, t, i); score > 0 {
			out = append(out, Boundary{Offset: offset, Score: score})
		}
	}
	return out
}

// runeLength returns how many bytes of s its first character takes, also if it isn't valid UTF-8.
func runeLength(r rune, s string) int {
	if r != utf8.RuneError {
		return utf8.RuneLen(r)
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// score returns the score of a break before the i-th character, or 0 for none.
func score(m *model, t text, i int) int {
	switch before := t.kinds[i-1]; {
	case before == kindStop:
		return scoreSentence
	case before == kindClose:
		return scoreClause
	case before == kindSpace:
		return scoreSpace
	case m == nil:
		return 0
	}
	return m.score(t, i)
}

// joined reports whether no line may break before runes[i].
func joined(runes []rune, kinds []kind, i int) bool {
	a, b := kinds[i-1], kinds[i]
	switch {
	case b == kindStop, b == kindClose, b == kindSpace, b == kindMark, a == kindOpen:
		return true
	case a == kindLatin:
		return b == kindLatin || unicode.IsDigit(runes[i-1]) && b != kindOpen
	case a == kindKatakana:
		return b == kindKatakana
	case a == kindMark:
		return runes[i-1] == zeroWidthJoiner
	}
	return false
}

package phrases

import (
	"slices"
	"unicode"

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
	return slices.DeleteFunc(Breaks(text, l), func(b Boundary) bool { return b.Score <= ScoreWord })
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

package phrases

import (
	"slices"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Text is text that grows piece by piece and is asked for single boundaries, which is faster than [Boundaries]. Reset makes it ready for the
// next text.
type Text struct {
	model *model
	runes []rune
	kinds []kind
	known []uint16 // where the model has each character
	words []int8   // of the model's splitter, once it is asked for
}

// NewText returns an empty text of a language.
func NewText(l transcript.Language) *Text { return &Text{model: modelOf(l)} }

// Reset removes all text.
func (t *Text) Reset() {
	t.runes, t.kinds, t.known, t.words = t.runes[:0], t.kinds[:0], t.known[:0], t.words[:0]
}

// Len returns the number of characters.
func (t *Text) Len() int { return len(t.runes) }

// Append appends a piece.
func (t *Text) Append(piece string) { t.AppendPiece(t.Piece(piece)) }

// Piece is text that is appended more than once.
type Piece struct {
	runes []rune
	kinds []kind
	known []uint16
}

// Piece prepares a piece, for all texts of the language.
func (t *Text) Piece(text string) Piece {
	p := Piece{runes: []rune(text)}
	p.kinds = kindsOf(p.runes)
	for _, r := range p.runes {
		if t.model != nil {
			p.known = append(p.known, t.model.characters.find(r))
		}
	}
	return p
}

// AppendPiece appends a piece, faster than Append.
func (t *Text) AppendPiece(p Piece) {
	n := len(t.runes)
	t.runes, t.kinds, t.known = append(t.runes, p.runes...), append(t.kinds, p.kinds...), append(t.known, p.known...)
	for i := n; i < min(n+2, len(t.runes)); i++ { // a number may go on
		joinNumber(t.kinds, t.runes, i)
	}
}

// split returns the length of the word that each character begins, or 0 inside words; nil if the model knows no words.
func (t *Text) split() []int8 {
	if t.model.split != nil && len(t.words) != len(t.runes) {
		t.words = slices.Grow(t.words[:0], len(t.runes))[:len(t.runes)]
		clear(t.words)
		t.model.split(t.words, t.runes, t.kinds)
	}
	return t.words
}

// Score returns the score of a break before the i-th character, as [Breaks] has it, or 0 if no line should break there.
func (t *Text) Score(i int) int {
	if i <= 0 || i >= len(t.runes) || joined(t.runes, t.kinds, i) {
		return 0
	}
	switch before := t.kinds[i-1]; {
	case before == kindStop:
		return scoreSentence
	case before == kindClose:
		return scoreClause
	case before == kindSpace:
		return scoreSpace
	case t.model == nil:
		return 0
	}
	return t.model.score(t, i)
}

package captions

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Marks that open may begin a word; a number may begin with a currency or a sign.
func TestFirstMarks(t *testing.T) {
	t.Parallel()
	for r, want := range map[rune]bool{
		'"': true, '«': true, '»': true, '„': true, '‚': true, '(': true, '¿': true, '¡': true, '\u00a0': true, '\u202f': true, ')': false, 'a': false, '.': false,
	} {
		require.Equal(t, want, isOpening(r), string(r))
	}
	p := vocabularyOf("en")
	for word, want := range map[string]bool{"3": true, "$3": true, "-3": true, "−3": true, "+3": true, "±3": true, "~3": true, "€3.50": true, "a3": false, "*3": false} {
		require.Equal(t, want, p.facts(word).digits, word)
	}
	for _, quote := range []*wordFacts{openingQuote, closingQuote} {
		require.Equal(t, []int{displayWidth(`"`), 1}, []int{quote.columns, quote.chars})
	}
}

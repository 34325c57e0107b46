package transcript

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Marks that open come before the first letter of a word, in any language. Letters, digits, and marks that end sentences don't.
func TestOpeningMarks(t *testing.T) {
	t.Parallel()
	for r, want := range map[rune]bool{
		'"': true, '\'': true, '»': true, '¿': true, '¡': true, '-': true, '(': true, '„': true, '«': true, '–': true, 'a': false, '1': false, '.': false, ')': false,
	} {
		require.Equal(t, want, isOpening(r), string(r))
	}
	for word, want := range map[string]bool{"mai": true, "„mai": true, "(mai": true, "Mai": false, "„Mai": false, "3": false, "": false} {
		require.Equal(t, want, startsLower(word), word)
	}
	require.Equal(t, 16_000, SampleRate, "models and tools expect 16 kHz")
}

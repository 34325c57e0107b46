package speech_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/speech"
)

// Unseal returns what was sealed, and refuses incomplete and unsealed notes.
func TestSeal(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"", "{}\n\n", "\x00\xff"} {
		note := speech.Seal([]byte(answer))
		got, ok := speech.Unseal(note)
		require.True(t, ok)
		require.Equal(t, answer, string(got))
		for i := range note {
			_, ok := speech.Unseal(note[:i])
			require.False(t, ok, "%d", i)
		}
	}
	for _, note := range []string{"", "\n", `{"text":"a"}`, "{\n}"} {
		_, ok := speech.Unseal([]byte(note))
		require.False(t, ok)
	}
}

package didyoumean_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/didyoumean"
)

// A misspelt name finds the word that was meant; a name that is too different finds none.
func TestMeant(t *testing.T) {
	t.Parallel()
	names := []string{"for", "from", "clock", "clock-start", "llm", "llm-url", "llm-model", "transcriber-url"}
	for wrote, meant := range map[string]string{
		"clok": "clock", "clockstart": "clock-start", "transcriber_url": "transcriber-url", "llm-mdoel": "llm-model", "lm": "llm",
		"Clock": "clock", "form": "from", "fo": "for", "webhooks-everywhere": "", "lml": "llm", "": "", "xx": "", "l": "",
	} {
		require.Equal(t, meant, didyoumean.Suggest(wrote, names), wrote)
	}
}

// Closest always returns a word, the first of equally close ones, for a name of any length.
func TestWord(t *testing.T) {
	t.Parallel()
	words := []string{"createUpload", "getUpload", "bat", "cat"}
	for wrote, want := range map[string]string{"createuplod": "createUpload", "GETUPLOAD": "getUpload", "rat": "bat", "": "bat"} {
		require.Equal(t, want, didyoumean.Closest(wrote, words), wrote)
	}
	require.Equal(t, "createUpload", didyoumean.Closest(strings.Repeat("x", 1<<20), words[:1]))
	require.Empty(t, didyoumean.Closest("x", nil))
	require.Empty(t, didyoumean.Suggest("x", nil))
}

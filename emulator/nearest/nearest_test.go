package nearest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/nearest"
)

// The name that was meant is found where it is near, and no other.
func TestMeant(t *testing.T) {
	t.Parallel()
	names := []string{"clock", "clock-start", "llm", "llm-url", "llm-model", "transcriber-url"}
	for wrote, meant := range map[string]string{
		"clok": "clock", "clockstart": "clock-start", "transcriber_url": "transcriber-url", "llm-modle": "llm-model", "lm": "llm",
		"Clock": "clock", "webhooks-everywhere": "", "": "",
	} {
		require.Equal(t, meant, nearest.Meant(wrote, names), wrote)
	}
}

// There is always a nearest word, the first of several; what somebody wrote may be of any length.
func TestWord(t *testing.T) {
	t.Parallel()
	words := []string{"createUpload", "getUpload", "bat", "cat"}
	for wrote, want := range map[string]string{"createuplod": "createUpload", "GETUPLOAD": "getUpload", "rat": "bat", "": "bat"} {
		require.Equal(t, want, nearest.Word(wrote, words), wrote)
	}
	require.Equal(t, "createUpload", nearest.Word(strings.Repeat("x", 1<<20), words[:1]))
	require.Empty(t, nearest.Word("x", nil))
	require.Empty(t, nearest.Meant("x", nil))
}

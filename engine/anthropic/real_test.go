package anthropic_test

import (
	"cmp"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/anthropic"
)

// A real model of Anthropic's answers, translates and suggests. It is asked only where ANTHROPIC_API_KEY is set and SOUNDSTAGE_TEST_REAL is 1, as that
// costs money; else the test is skipped, under CI=true too. ANTHROPIC_MODEL names another model.
func TestReal(t *testing.T) {
	t.Parallel()
	secret := os.Getenv("ANTHROPIC_API_KEY")
	if secret == "" || os.Getenv("SOUNDSTAGE_TEST_REAL") != "1" {
		t.Skip("needs ANTHROPIC_API_KEY and SOUNDSTAGE_TEST_REAL=1")
	}
	m, err := anthropic.New(anthropic.Config{Key: secret, Model: cmp.Or(os.Getenv("ANTHROPIC_MODEL"), "claude-haiku-4-5")})
	require.NoError(t, err)
	text, err := m.Write(t.Context(), question)
	require.NoError(t, err)
	require.Contains(t, text, "Maria")
	require.Contains(t, text, "[1.1]")

	unknown := question
	unknown.Prompt = "What does the treaty of Westphalia say about submarines?"
	text, err = m.Write(t.Context(), unknown)
	require.NoError(t, err)
	require.Contains(t, text, engine.NoSupport)

	got, err := m.Translate(t.Context(), engine.TranslateRequest{From: "en", To: "de", Texts: []string{"Good morning, [[T0]].", "The lamp burns every night."}})
	require.NoError(t, err)
	require.Contains(t, got[0], "[[T0]]")
	require.Contains(t, got[1], "Nacht")

	said := question.Passages[0].Utterances[0]
	said.End = 20 * time.Second
	suggested, err := m.Suggest(t.Context(), engine.Transcript{Language: "en", Duration: 20 * time.Second, Utterances: []engine.Utterance{said}}, 3)
	require.NoError(t, err)
	for _, s := range suggested {
		require.LessOrEqual(t, s.Window.End, 20*time.Second)
	}
}

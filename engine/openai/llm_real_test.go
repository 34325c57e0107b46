package openai_test

import (
	"cmp"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/openai"
)

// A real model of OpenAI's answers, translates and suggests. It is asked only where OPENAI_API_KEY is set and SOUNDSTAGE_TEST_REAL is 1, as that
// costs money; else the test is skipped, under CI=true too. OPENAI_MODEL names another model.
func TestRealLLM(t *testing.T) {
	t.Parallel()
	secret := os.Getenv("OPENAI_API_KEY")
	if secret == "" || os.Getenv("SOUNDSTAGE_TEST_REAL") != "1" {
		t.Skip("needs OPENAI_API_KEY and SOUNDSTAGE_TEST_REAL=1")
	}
	m, err := openai.NewLLM(openai.LLMConfig{URL: os.Getenv("OPENAI_BASE_URL"), Key: secret, Model: cmp.Or(os.Getenv("OPENAI_MODEL"), "gpt-4o-mini")})
	require.NoError(t, err)
	text, err := m.Write(t.Context(), chatQuestion)
	require.NoError(t, err)
	require.Contains(t, text, "Maria")
	require.Contains(t, text, "[1.1]")

	unknown := chatQuestion
	unknown.Prompt = "What does the treaty of Westphalia say about submarines?"
	text, err = m.Write(t.Context(), unknown)
	require.NoError(t, err)
	require.Contains(t, text, engine.NoSupport)

	got, err := m.Translate(t.Context(), engine.TranslateRequest{From: "en", To: "de", Texts: []string{"Good morning, [[T0]].", "The lamp burns every night."}})
	require.NoError(t, err)
	require.Contains(t, got[0], "[[T0]]")
	require.Contains(t, got[1], "Nacht")

	said := chatQuestion.Passages[0].Utterances[0]
	said.End = 20 * time.Second
	suggested, err := m.Suggest(t.Context(), engine.Transcript{Language: "en", Duration: 20 * time.Second, Utterances: []engine.Utterance{said}}, 3)
	require.NoError(t, err)
	for _, s := range suggested {
		require.LessOrEqual(t, s.Window.End, 20*time.Second)
	}
}

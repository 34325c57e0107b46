//go:build real

package openai_test

import (
	"cmp"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/openai"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// A real OpenAI model answers, translates, and suggests. OPENAI_BASE_URL selects another server, and OPENAI_MODEL another model.
func TestRealLLM(t *testing.T) {
	t.Parallel()
	m, err := openai.NewLLM(openai.LLMConfig{
		URL: os.Getenv("OPENAI_BASE_URL"), Key: backendtest.RealKey(t, "OPENAI_API_KEY"), Model: cmp.Or(os.Getenv("OPENAI_MODEL"), "gpt-4o-mini"),
	})
	require.NoError(t, err)
	backendtest.AskModel(t, m)
}

// The real service transcribes a conversation with each kind of model, in one part and in several.
func TestRealTranscriber(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"whisper-1", "gpt-4o-mini-transcribe", "gpt-4o-transcribe-diarize"} {
		for _, limit := range []time.Duration{0, 10 * time.Second} {
			tr, err := openai.NewTranscriber(openai.TranscriberConfig{
				Key: backendtest.RealKey(t, "OPENAI_API_KEY"), Model: model, Media: wav.Media{}, Limits: speech.Limits{MaxDuration: limit},
			})
			require.NoError(t, err)
			backendtest.HearConversation(t, tr, "../../testdata")
		}
	}
}

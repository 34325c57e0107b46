package openai_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/openai"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// The real service hears what is said in the conversation of testdata, in one part and in several. It is asked only with
// SOUNDSTAGE_TEST_REAL=1 and OPENAI_API_KEY, because it costs money; without them the test is skipped, also in CI.
func TestRealTranscriber(t *testing.T) {
	key := os.Getenv("OPENAI_API_KEY")
	if os.Getenv("SOUNDSTAGE_TEST_REAL") != "1" || key == "" {
		t.Skip("set SOUNDSTAGE_TEST_REAL=1 and OPENAI_API_KEY to ask the real service")
	}
	content, err := os.ReadFile("../../testdata/conversation.wav")
	require.NoError(t, err)
	said, err := os.ReadFile("../../testdata/conversation.txt")
	require.NoError(t, err)
	for _, model := range []string{"whisper-1", "gpt-4o-mini-transcribe", "gpt-4o-transcribe-diarize"} {
		for _, limit := range []time.Duration{0, 10 * time.Second} {
			src := source(content)
			info, err := wav.Media{}.Probe(t.Context(), src)
			require.NoError(t, err)
			got, err := newTranscriber(t, openai.TranscriberConfig{Key: key, Model: model, Media: wav.Media{}, Limits: speech.Limits{MaxDuration: limit}}).
				Transcribe(t.Context(), engine.TranscribeRequest{Source: src, Info: info})
			require.NoError(t, err, model)
			require.Equal(t, engine.Language("en"), got.Language, model)
			heard := strings.ToLower(strings.Join(texts(got.Words), " "))
			all, found := 0, 0
			for _, w := range strings.Fields(strings.ReplaceAll(strings.ToLower(string(said)), "|", " ")) {
				if w = strings.Trim(w, ".,?!:"); len(w) > 5 {
					all++
					if strings.Contains(heard, w) {
						found++
					}
				}
			}
			require.Greater(t, 10*found, 7*all, "%s: %s", model, heard)
		}
	}
}

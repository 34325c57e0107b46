package backends_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
)

// A probe returns the text and the duration, for every kind of service.
func TestProbe(t *testing.T) {
	t.Parallel()
	for kind, served := range hears(t) {
		served.config.Transcriber.Kind = kind
		b, err := served.config.Open()
		require.NoError(t, err)
		p := b.ProbeTranscriber(within(t, time.Minute))
		require.NoError(t, p.Err, kind)
		require.NotEmpty(t, p.Text, kind)
		require.Positive(t, p.Took)
	}
	for kind, served := range writes(t) {
		served.config.LLM.Kind = kind
		b, err := served.config.Open()
		require.NoError(t, err)
		p := b.ProbeLLM(within(t, time.Minute))
		require.NoError(t, p.Err, kind)
		require.NotEmpty(t, p.Text, kind)
		require.LessOrEqual(t, len([]rune(p.Text)), 60)
	}
}

// A failed probe returns the error. A probe of a service that never responds ends with its context.
func TestProbeFails(t *testing.T) {
	t.Parallel()
	b, err := backends.Config{Transcriber: backends.Service{Kind: "whispercpp", URL: "http://127.0.0.1:1"}}.Open()
	require.NoError(t, err)
	var e *engine.Error
	require.ErrorAs(t, b.ProbeTranscriber(within(t, time.Minute)).Err, &e)
	require.Contains(t, e.Hint, "Nothing listens there")

	silent := backendtest.NewWhisperCPP(t)
	silent.Break(backendtest.Silent(time.Hour))
	b, err = backends.Config{Transcriber: backends.Service{Kind: "whispercpp", URL: silent.URL}}.Open()
	require.NoError(t, err)
	begun := time.Now()
	require.ErrorAs(t, b.ProbeTranscriber(within(t, 50*time.Millisecond)).Err, &e)
	require.Equal(t, engine.CodeUnavailable, e.Code)
	require.Contains(t, e.Msg, "did not answer within")
	require.Less(t, time.Since(begun), time.Minute)
}

// Speech is a cut from the project's own test media.
func TestSpeech(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(filepath.Join("..", "..", "testdata", "conversation.wav"))
	require.NoError(t, err)
	second, err := os.ReadFile("probe.wav")
	require.NoError(t, err)
	require.Equal(t, int64(len(second)), backends.Speech().Size())
	const from = 400 * 32 // milliseconds of 32 bytes
	require.Equal(t, whole[44+from:44+from+32000], second[44:])
}

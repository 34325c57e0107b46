package openai_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/openai"
)

// noon is a frozen clock.
type noon struct{ engine.Clock }

func (noon) Now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// Each fault of a server is an error with Retryable and RetryAfter, or yields the words that can be read.
func TestTranscriberFaults(t *testing.T) {
	t.Parallel()
	const (
		heard = `{"segments":[{"text":"One, two.","start":0,"end":1}],"words":[{"word":"One","start":0,"end":0.5},{"word":"two","start":0.5,"end":1}]}`
		odd   = `{"words":[{"word":"One","start":NaN,"end":0.5},{"word":"two","start":0.2,"end":0.9},{"word":"three","start":0.4,"end":Infinity}],"segments":[{"text":"One two three","start":0,"end":1.2}]}`
		key   = "sk-very-secret"
	)
	type want struct {
		code  engine.Code
		again bool
		after time.Duration
		says  string
		words []string
	}
	unavailable := func(again bool, after time.Duration, says string) want {
		return want{code: engine.CodeUnavailable, again: again, after: after, says: says}
	}
	for name, c := range map[string]struct {
		fault backendtest.Fault
		want  want
	}{
		"none":                          {backendtest.Answer("application/json", heard), want{words: []string{"One,", "two."}}},
		"429 with seconds":              {backendtest.Status(429, "7", `{"error":{"message":"Rate limit reached"}}`), unavailable(true, 7*time.Second, "OpenAI received too many requests.")},
		"429 with a date":               {backendtest.Status(429, "Sun, 01 Mar 2026 12:02:00 GMT", `{}`), unavailable(true, 2*time.Minute, "OpenAI received too many requests.")},
		"429 without a time":            {backendtest.Status(429, "", ``), unavailable(true, 0, "OpenAI received too many requests.")},
		"500":                           {backendtest.Status(500, "", `{"error":"failed to process audio"}`), unavailable(true, 0, "OpenAI failed.")},
		"503 with a time":               {backendtest.Status(503, "30", ``), unavailable(true, 30*time.Second, "OpenAI failed.")},
		"401":                           {backendtest.Status(401, "", `{"error":{"message":"Incorrect API key provided: `+key+`"}}`), unavailable(false, 0, "OpenAI did not accept the key.")},
		"404":                           {backendtest.Status(404, "", ``), unavailable(false, 0, "OpenAI does not know the URL or the model.")},
		"413":                           {backendtest.Status(413, "", ``), unavailable(false, 0, "OpenAI does not accept requests this large.")},
		"400":                           {backendtest.Status(400, "", `{"error":{"message":"Invalid file format."}}`), unavailable(false, 0, "OpenAI refused the request.")},
		"400 about the response format": {backendtest.Status(400, "", `{"error":{"message":"response_format 'verbose_json' is not compatible"}}`), unavailable(false, 0, "OpenAI does not support the required response format verbose_json for this model.")},
		"422 about the response format": {backendtest.Status(422, "", `{"detail":[{"loc":["body","timestamp_granularities[]"]}]}`), unavailable(false, 0, "OpenAI does not support the required response format verbose_json for this model.")},
		"slow":                          {backendtest.Silent(time.Minute), unavailable(true, 0, "OpenAI did not answer in time.")},
		"cut off in mid-body":           {backendtest.CutOff(heard[:60]), unavailable(true, 0, "The response from OpenAI ended early.")},
		"a page of HTML":                {backendtest.Answer("text/html", "<html>busy</html>"), unavailable(true, 0, "The response from OpenAI could not be parsed.")},
		"JSON of another type":          {backendtest.Answer("text/plain", heard), want{words: []string{"One,", "two."}}},
		"JSON of another shape":         {backendtest.Answer("application/json", `[1,2]`), unavailable(true, 0, "The response from OpenAI could not be parsed.")},
		"NaN times, overlapping words":  {backendtest.Answer("application/json", odd), want{words: []string{"One", "two", "three"}}},
		"an empty result":               {backendtest.Answer("application/json", `{"text":"","segments":[],"words":[]}`), want{}},
		"an empty text":                 {backendtest.Answer("application/json", `{"text":"","segments":null,"error":null}`), want{}},
		"an error with status 200":      {backendtest.Answer("application/json", `{"error":"failed to read audio data with `+key+`"}`), unavailable(true, 0, "The response from OpenAI contains no transcript.")},
		"words and an error":            {backendtest.Answer("application/json", heard[:len(heard)-1]+`,"error":{"message":"out of memory"}}`), unavailable(true, 0, "The response from OpenAI contains no transcript.")},
		"JSON of another server":        {backendtest.Answer("application/json", `{"detail":"not ready"}`), unavailable(true, 0, "The response from OpenAI contains no transcript.")},
		"64 MiB of garbage":             {backendtest.Garbage(64 << 20), unavailable(false, 0, "The response from OpenAI is longer than 8 MiB.")},
		"garbage":                       {backendtest.Garbage(1 << 20), unavailable(true, 0, "The response from OpenAI could not be parsed.")},
	} {
		for _, dialect := range []openai.Dialect{openai.OpenAI, openai.WhisperCPP} {
			t.Run(string(dialect)+" "+name, func(t *testing.T) {
				t.Parallel()
				s := backendtest.NewOpenAISpeech(t)
				s.Break(c.fault)
				sound := noiseBursts(4, 300, 0, 0)
				config := openai.TranscriberConfig{Name: "OpenAI", URL: s.URL, Dialect: dialect, Key: key, Media: sound, Clock: noon{}}
				if name == "slow" {
					config.Timeout = 300 * time.Millisecond
				}
				got, err := newTranscriber(t, config).Transcribe(t.Context(), sound.request())
				require.Equal(t, c.want.words, texts(got.Words))
				if c.want.code == "" {
					require.NoError(t, err)
					return
				}
				e, ok := errors.AsType[*engine.Error](err)
				require.True(t, ok, "%v", err)
				require.Equal(t, c.want, want{e.Code, e.Retryable, e.RetryAfter, e.Msg, nil})
				require.NotContains(t, e.Error()+e.Hint, key)
				if name == "400 about the response format" {
					require.Contains(t, e.Hint, "whisper-1")
				}
			})
		}
	}
}

// A server without the required response format is an error. There is no request for a poorer format.
func TestPlainServer(t *testing.T) {
	t.Parallel()
	s := backendtest.NewOpenAISpeech(t, backendtest.PlainOnly)
	sound := noiseBursts(4, 300, 100, 0)
	_, err := newTranscriber(t, openai.TranscriberConfig{URL: s.URL + "/v1", Model: "parakeet", Media: sound}).Transcribe(t.Context(), sound.request())
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	require.Contains(t, engine.Message(err), "verbose_json")
	require.Len(t, s.Requests(), 1)
}

// Cancellation ends a transcription and its request to the server.
func TestCanceled(t *testing.T) {
	t.Parallel()
	s := backendtest.NewWhisperCPP(t)
	begun, gone := make(chan struct{}), make(chan struct{})
	s.Break(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		close(gone)
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	sound := noiseBursts(4, 300, 100, 0)
	_, err := newTranscriber(t, openai.TranscriberConfig{URL: s.URL, Dialect: openai.WhisperCPP, Media: sound}).Transcribe(ctx, sound.request())
	require.Equal(t, engine.CodeCanceled, engine.CodeOf(err))
	<-gone
}

// A server's error text is logged as one short line.
func TestErrorsAreShort(t *testing.T) {
	t.Parallel()
	s := backendtest.NewOpenAISpeech(t)
	s.Break(backendtest.Status(500, "", strings.Repeat("long\n", 10_000)))
	sound := noiseBursts(1, 300, 0, 0)
	_, err := newTranscriber(t, openai.TranscriberConfig{URL: s.URL + "/v1", Media: sound}).Transcribe(t.Context(), sound.request())
	require.Less(t, len(err.Error()), 700)
	require.NotContains(t, err.Error(), "\n")
}

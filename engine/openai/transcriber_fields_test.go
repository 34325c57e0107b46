package openai_test

import (
	"bytes"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/openai"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// fieldsOf returns the form fields of a request, without its file.
func fieldsOf(t *testing.T, r backendtest.Request) map[string][]string {
	t.Helper()
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	require.NoError(t, err)
	form, err := multipart.NewReader(bytes.NewReader(r.Body), params["boundary"]).ReadForm(1 << 20)
	require.NoError(t, err)
	require.Len(t, form.File["file"], 1)
	require.Equal(t, "audio.wav", form.File["file"][0].Filename)
	require.Equal(t, "audio/wav", form.File["file"][0].Header.Get("Content-Type"))
	return form.Value
}

// Each dialect and model gets its own form fields, and nothing that it doesn't accept.
func TestFields(t *testing.T) {
	t.Parallel()
	hints := engine.TranscribeRequest{Language: "de", BoostedWords: []string{"Zoë", " \n", "open\nsource"}, ContextPrompt: "A talk\nabout trains."}
	const prompt = "Zoë, open source. A talk about trains."
	words := []string{"word", "segment"}
	for name, c := range map[string]struct {
		config openai.TranscriberConfig
		req    engine.TranscribeRequest
		want   map[string][]string
		path   string
	}{
		"whisper": {openai.TranscriberConfig{}, hints, map[string][]string{"model": {"whisper-1"}, "response_format": {"verbose_json"},
			"timestamp_granularities[]": words, "language": {"de"}, "prompt": {prompt}}, "/v1/audio/transcriptions"},
		"whisper without hints": {openai.TranscriberConfig{Model: "Systran/faster-whisper-small"}, engine.TranscribeRequest{},
			map[string][]string{"model": {"Systran/faster-whisper-small"}, "response_format": {"verbose_json"}, "timestamp_granularities[]": words}, "/v1/audio/transcriptions"},
		"a model without times": {openai.TranscriberConfig{Model: "gpt-4o-mini-transcribe"}, hints, map[string][]string{"model": {"gpt-4o-mini-transcribe"},
			"response_format": {"json"}, "language": {"de"}, "prompt": {prompt}}, "/v1/audio/transcriptions"},
		"a model that tells speakers": {openai.TranscriberConfig{Model: "gpt-4o-transcribe-diarize"}, hints, map[string][]string{"model": {"gpt-4o-transcribe-diarize"},
			"response_format": {"diarized_json"}, "language": {"de"}, "chunking_strategy": {"auto"}}, "/v1/audio/transcriptions"},
		"whisper.cpp": {openai.TranscriberConfig{Dialect: openai.WhisperCPP}, engine.TranscribeRequest{}, map[string][]string{"response_format": {"verbose_json"},
			"language": {"auto"}, "temperature": {"0.0"}, "temperature_inc": {"0.2"}, "no_language_probabilities": {"true"}}, "/inference"},
		"whisper.cpp with hints": {openai.TranscriberConfig{Dialect: openai.WhisperCPP, Model: "large"}, hints, map[string][]string{"response_format": {"verbose_json"},
			"model": {"large"}, "language": {"de"}, "temperature": {"0.0"}, "temperature_inc": {"0.2"}, "no_language_probabilities": {"true"}, "prompt": {prompt}}, "/inference"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sound := noiseBursts(3, 300, 100, 0)
			c.config.Media, c.config.Key, c.req.Info = sound, "secret", sound.info()
			var requests func() []backendtest.Request
			if c.config.Dialect == openai.WhisperCPP {
				s := backendtest.NewWhisperCPP(t)
				c.config.URL, requests = s.URL, s.Requests
			} else {
				s := backendtest.NewOpenAISpeech(t)
				c.config.URL, requests = s.URL+"/v1/", s.Requests
			}
			_, err := newTranscriber(t, c.config).Transcribe(t.Context(), c.req)
			require.NoError(t, err)
			require.Len(t, requests(), 1)
			r := requests()[0]
			require.Equal(t, c.path, r.Path)
			require.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
			require.Equal(t, c.want, fieldsOf(t, r))
		})
	}
}

// A prompt has the boosted words first, and never exceeds Whisper's limit.
func TestPrompt(t *testing.T) {
	t.Parallel()
	many := make([]string, engine.MaxBoostedWords)
	for i := range many {
		many[i] = "Soundstage"
	}
	for name, c := range map[string]struct {
		req  engine.TranscribeRequest
		want func(prompt string)
	}{
		"only a context": {engine.TranscribeRequest{ContextPrompt: "Trains."}, func(p string) { require.Equal(t, "Trains.", p) }},
		"only words":     {engine.TranscribeRequest{BoostedWords: []string{"Zoë"}}, func(p string) { require.Equal(t, "Zoë.", p) }},
		"many words": {engine.TranscribeRequest{BoostedWords: many, ContextPrompt: "Trains."}, func(p string) {
			require.LessOrEqual(t, strings.Count(p, "Soundstage"), 224/3)
			require.Greater(t, strings.Count(p, "Soundstage"), 20)
			require.NotContains(t, p, "Trains")
		}},
		"a long context": {engine.TranscribeRequest{BoostedWords: []string{"Zoë"}, ContextPrompt: strings.Repeat("trains ", 5000)}, func(p string) {
			require.True(t, strings.HasPrefix(p, "Zoë. trains trains"), p)
			require.Less(t, len(p), 224*5)
		}},
		"a word that has no room": {engine.TranscribeRequest{BoostedWords: []string{strings.Repeat("語", 1000), "Zoë"}}, func(p string) { require.Equal(t, "Zoë.", p) }},
		"invalid UTF-8":           {engine.TranscribeRequest{BoostedWords: []string{"a\xff\x00b"}}, func(p string) { require.Equal(t, "a b.", p) }},
	} {
		s := backendtest.NewOpenAISpeech(t)
		sound := noiseBursts(1, 300, 0, 0)
		c.req.Info = sound.info()
		_, err := newTranscriber(t, openai.TranscriberConfig{URL: s.URL + "/v1", Media: sound}).Transcribe(t.Context(), c.req)
		require.NoError(t, err, name)
		c.want(fieldsOf(t, s.Requests()[0])["prompt"][0])
	}
}

// NewTranscriber refuses an invalid config, and the error doesn't contain the key.
func TestTranscriberConfig(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]openai.TranscriberConfig{
		"no media":             {Key: "hush"},
		"no key for OpenAI":    {Media: pcm{}},
		"no dialect":           {Media: pcm{}, Dialect: "morse", Key: "hush"},
		"no address":           {Media: pcm{}, URL: "localhost:8080", Key: "hush"},
		"a key of two lines":   {Media: pcm{}, Key: "hu\nsh"},
		"a password in it":     {Media: pcm{}, URL: "http://me:hush@localhost", Key: "hush"},
		"a scheme that isn't":  {Media: pcm{}, URL: "ftp://localhost", Key: "hush"},
		"an address with more": {Media: pcm{}, URL: "http://localhost#hush", Key: "key"},
	} {
		_, err := openai.NewTranscriber(c)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), name)
		if c.URL == "" {
			require.NotContains(t, err.Error(), "hush", name)
		}
	}
	for _, c := range []openai.TranscriberConfig{
		{Media: pcm{}, Key: "k"}, {Media: pcm{}, Dialect: openai.WhisperCPP}, {Media: pcm{}, URL: "http://localhost:8000/v1", Model: "m", Limits: speech.Limits{MaxDuration: time.Hour}},
	} {
		newTranscriber(t, c)
	}
}

// roundTrip makes a function a Transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The default URLs are OpenAI's and whisper.cpp's.
func TestDefaultURLs(t *testing.T) {
	t.Parallel()
	for dialect, want := range map[openai.Dialect]string{"": "https://api.openai.com/v1/audio/transcriptions", openai.WhisperCPP: "http://127.0.0.1:8080/inference"} {
		asked := ""
		_, err := newTranscriber(t, openai.TranscriberConfig{Dialect: dialect, Key: "k", Media: noiseBursts(1, 300, 0, 0), Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			asked = r.URL.String()
			return nil, engine.Errorf(engine.CodeNoSpace, "", "Full.")
		})}).Transcribe(t.Context(), engine.TranscribeRequest{})
		require.Equal(t, engine.CodeNoSpace, engine.CodeOf(err), "an engine error of the Transport is unchanged")
		require.Equal(t, want, asked)
	}
}

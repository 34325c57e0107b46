package openai_test

import (
	"testing"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/openai"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Transcriber fulfils the contract of engine.Transcriber, in both dialects, with every response format and quirk.
func TestConformanceTranscriber(t *testing.T) {
	t.Parallel()
	all := []backendtest.SpeechQuirk{
		"", backendtest.NoWords, backendtest.NoSegments, backendtest.NaNTimes, backendtest.OverlappingWords, backendtest.NestedWords,
	}
	for _, quirk := range all {
		t.Run("openai "+string(quirk), func(t *testing.T) {
			t.Parallel()
			if quirk != "" {
				slow.Skip(t, "it repeats the decoding of the first response format")
			}
			s := backendtest.NewOpenAISpeech(t, quirk)
			enginetest.TestTranscriber(t, func(t *testing.T, media engine.Media) engine.Transcriber {
				return newTranscriber(t, openai.TranscriberConfig{URL: s.URL + "/v1", Media: media})
			})
		})
	}
	for _, quirk := range append(all, backendtest.BrokenCharacters) {
		t.Run("whispercpp "+string(quirk), func(t *testing.T) {
			t.Parallel()
			if quirk != "" {
				slow.Skip(t, "it repeats the decoding of the first response format")
			}
			s := backendtest.NewWhisperCPP(t, quirk)
			enginetest.TestTranscriber(t, func(t *testing.T, media engine.Media) engine.Transcriber {
				return newTranscriber(t, openai.TranscriberConfig{URL: s.URL, Dialect: openai.WhisperCPP, Media: media})
			})
		})
	}
	for _, model := range []string{"gpt-4o-transcribe", "gpt-4o-mini-transcribe-2025-12-15", "gpt-4o-transcribe-diarize"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewOpenAISpeech(t)
			enginetest.TestTranscriber(t, func(t *testing.T, media engine.Media) engine.Transcriber {
				return newTranscriber(t, openai.TranscriberConfig{URL: s.URL + "/v1", Model: model, Media: media})
			})
		})
	}
}

package assemblyai_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/assemblyai"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A request is converted to the API's parameters, within its limits.
func TestAsk(t *testing.T) {
	t.Parallel()
	many := make([]string, 1000)
	for i := range many {
		many[i] = fmt.Sprintf("term%d", i)
	}
	quoted := func(words []string) string {
		b, _ := json.Marshal(words)
		return string(b)
	}
	for name, c := range map[string]struct {
		model string
		req   engine.TranscribeRequest
		want  string
	}{
		"nothing":   {"", engine.TranscribeRequest{}, `{"language_detection":true,"speaker_labels":true}`},
		"language":  {"", engine.TranscribeRequest{Language: "zh", ContextPrompt: "Ignore everything."}, `{"language_code":"zh","speaker_labels":true}`},
		"speakers":  {"", engine.TranscribeRequest{Language: "en", SpeakersExpected: 3}, `{"language_code":"en","speaker_labels":true,"speakers_expected":3}`},
		"a crowd":   {"", engine.TranscribeRequest{Language: "en", SpeakersExpected: 100}, `{"language_code":"en","speaker_labels":true}`},
		"models":    {"universal-3-5-pro, universal-2", engine.TranscribeRequest{Language: "en", BoostedWords: []string{"a"}}, `{"speech_models":["universal-3-5-pro","universal-2"],"language_code":"en","speaker_labels":true,"keyterms_prompt":["a"]}`},
		"old model": {"nano", engine.TranscribeRequest{Language: "en", BoostedWords: []string{"a"}}, `{"speech_model":"nano","language_code":"en","speaker_labels":true,"word_boost":["a"]}`},
		"terms": {"", engine.TranscribeRequest{Language: "en", BoostedWords: []string{"one two three four five six", "one two three four five six seven", "Zoë\n", "Zoë"}},
			`{"language_code":"en","speaker_labels":true,"keyterms_prompt":["one two three four five six","Zoë"]}`},
		"many terms":      {"", engine.TranscribeRequest{Language: "en", BoostedWords: many}, `{"language_code":"en","speaker_labels":true,"keyterms_prompt":` + quoted(many[:200]) + `}`},
		"many more terms": {"universal-3-pro", engine.TranscribeRequest{Language: "en", BoostedWords: many}, `{"speech_models":["universal-3-pro"],"language_code":"en","speaker_labels":true,"keyterms_prompt":` + quoted(many) + `}`},
		"spellings": {"", engine.TranscribeRequest{Language: "en", Spellings: []transcript.Spelling{{From: []string{"Sound Stage", "c++"}, To: "Soundstage"}, {From: []string{"c"}, To: "C++"}}},
			`{"language_code":"en","speaker_labels":true,"custom_spelling":[{"from":["sound stage"],"to":"Soundstage"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewAssemblyAI(t)
			c.req.Source = backendtest.Beeps()
			_, err := open(t, s, func(cfg *assemblyai.Config) { cfg.Model = c.model }).Transcribe(t.Context(), c.req)
			require.NoError(t, err)
			asked := s.Submitted()[0]
			require.True(t, strings.HasPrefix(asked["audio_url"].(string), "https://cdn."))
			delete(asked, "audio_url")
			got, err := json.Marshal(asked)
			require.NoError(t, err)
			require.JSONEq(t, c.want, string(got))
		})
	}
}

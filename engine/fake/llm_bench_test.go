package fake_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
)

// hour is the transcript of one hour of speech.
func hour(b *testing.B, language engine.Language) []engine.Passage {
	words := transcribe(b, loop{record(10, minutes(1)...), 60}, engine.TranscribeRequest{Language: language})
	return passages(engine.BuildUtterances(words, language), language, 1)
}

func BenchmarkLLM1h(b *testing.B) {
	for _, language := range []engine.Language{"en", "ru", "ja"} {
		p := hour(b, language)
		for _, kind := range []engine.OutputType{engine.OutputOverview, engine.OutputChapters} {
			b.Run(string(language)+"/"+string(kind), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, err := llm.Write(b.Context(), engine.WriteRequest{Task: engine.TaskGenerate, Type: kind, Language: language, Passages: p})
					require.NoError(b, err)
				}
			})
		}
	}
}

func BenchmarkTranslate1h(b *testing.B) {
	var texts []string
	for _, u := range all(hour(b, "en")) {
		texts = append(texts, u.Text)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, err := fake.Translator{}.Translate(b.Context(), engine.TranslateRequest{From: "en", To: "de", Texts: texts})
		require.NoError(b, err)
	}
}

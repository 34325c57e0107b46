package writer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// hour returns the transcript of 1 h of speech.
func hour(b *testing.B, language transcript.Language) []transcript.Passage {
	return passages(transcribe(b, 60, language), language, 1)
}

func BenchmarkLLM1h(b *testing.B) {
	for _, language := range []transcript.Language{"en", "ru", "ja"} {
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

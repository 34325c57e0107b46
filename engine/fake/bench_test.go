package fake_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
)

func BenchmarkTranscribe60s(b *testing.B) { benchmark(b, 1) }

func BenchmarkTranscribe1h(b *testing.B) { benchmark(b, 60) }

// benchmark transcribes so many minutes of conversation, which are decoded already.
func benchmark(b *testing.B, n int) {
	fakes := &fake.Transcriber{Media: loop{record(10, minutes(1)...), n}}
	for _, language := range []engine.Language{"en", "ja"} {
		b.Run(string(language), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := fakes.Transcribe(b.Context(), engine.TranscribeRequest{Language: language, BoostedWords: []string{"Soundstage"}})
				require.NoError(b, err)
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*n), "ms/minute")
		})
	}
}

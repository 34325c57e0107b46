package fake_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

func BenchmarkTranscribe60s(b *testing.B) { benchmark(b, 1) }

func BenchmarkTranscribe1h(b *testing.B) { benchmark(b, 60) }

// benchmark transcribes n minutes of decoded conversation.
func benchmark(b *testing.B, n int) {
	fakes := &fake.Transcriber{Media: loop{record(10, minutes(1)...), n}}
	for _, language := range []transcript.Language{"en", "ja"} {
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

func BenchmarkTranslate1h(b *testing.B) {
	got, err := (&fake.Transcriber{Media: loop{record(10, minutes(1)...), 60}}).Transcribe(b.Context(), engine.TranscribeRequest{Language: "en"})
	require.NoError(b, err)
	var texts []string
	for _, u := range transcript.BuildUtterances(got.Words, "en") {
		texts = append(texts, u.Text)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, err := fake.Translator{}.Translate(b.Context(), engine.TranslateRequest{From: "en", To: "de", Texts: texts})
		require.NoError(b, err)
	}
}

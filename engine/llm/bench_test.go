package llm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkWrite1h writes the prompt for an hour of speech, and finishes an answer that arrives immediately.
func BenchmarkWrite1h(b *testing.B) {
	req := about(nil)
	for range 30 {
		req.Passages = append(req.Passages, spoken(12, many(12)...)...)
	}
	m := model(b, says("It goes on [1.1]."), 128_000)
	b.ReportAllocs()
	for b.Loop() {
		_, err := m.Write(b.Context(), req)
		require.NoError(b, err)
	}
}

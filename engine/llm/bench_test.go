package llm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkWrite1h makes the prompt of an hour of speech, and the text of an answer that comes at once.
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

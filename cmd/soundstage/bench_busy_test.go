package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkWhileDiarizing reports the latency of a simple GET, one each 2 ms, while four recordings of 20 minutes are transcribed and
// diarized, and how long that takes.
func BenchmarkWhileDiarizing(b *testing.B) {
	bin := program(b)
	wav, err := os.ReadFile(filepath.Join("..", "..", "testdata", "conversation.wav"))
	require.NoError(b, err)
	const header, times = 44, 48
	long := append(wav[:header:header], bytes.Repeat(wav[header:], times)...)
	binary.LittleEndian.PutUint32(long[4:], uint32(len(long)-8))
	binary.LittleEndian.PutUint32(long[40:], uint32(len(long)-header))
	for b.Loop() {
		s, _ := launch(b, bin)
		done := make(chan struct{})
		began := time.Now()
		go func() {
			defer close(done)
			together(4, func(int) { s.record(long) })
		}()
		client := s.bareClient("sk_sandbox_platform")
		var took []time.Duration
		for working := true; working; {
			asked := time.Now()
			require.NoError(b, client.do("GET", "/v1/spaces", nil))
			took = append(took, time.Since(asked))
			select {
			case <-done:
				working = false
			case <-time.After(2 * time.Millisecond):
			}
		}
		b.ReportMetric(time.Since(began).Seconds(), "s")
		b.ReportMetric(percentile(took, 50), "p50-ms")
		b.ReportMetric(percentile(took, 99), "p99-ms")
		s.stop()
	}
}

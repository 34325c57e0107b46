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

// BenchmarkWhileDiarizing reports the latency of a simple GET, sent every 2 ms, while four 20-minute recordings are transcribed and
// diarized. It also reports how long the recordings take.
func BenchmarkWhileDiarizing(b *testing.B) {
	bin := builtProgram(b)
	wav, err := os.ReadFile(filepath.Join("..", "..", "testdata", "conversation.wav"))
	require.NoError(b, err)
	const header, times = 44, 48
	long := append(wav[:header:header], bytes.Repeat(wav[header:], times)...)
	binary.LittleEndian.PutUint32(long[4:], uint32(len(long)-8))
	binary.LittleEndian.PutUint32(long[40:], uint32(len(long)-header))
	for b.Loop() {
		s, _ := startSandboxProcess(b, bin)
		done := make(chan struct{})
		began := time.Now()
		go func() {
			defer close(done)
			concurrently(4, func(int) { s.record(long) })
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

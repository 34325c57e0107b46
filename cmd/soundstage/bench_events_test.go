package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkEvents measures the stream of the control API: how long after a client sends a request the stream tells another client of it, which
// includes the request itself; and the CPU time per simple GET without, with one, and with ten streams. The limit is 150 ms at p99.
func BenchmarkEvents(b *testing.B) {
	s, _ := startSandboxProcess(b, builtProgram(b))
	defer s.stop()
	none, _ := s.measureLoad("/v1/spaces", "sk_sandbox_platform")
	numbers := make(chan int64, 4096)
	s.follow(numbers)
	var told, took []time.Duration
	for range 2000 {
		start := time.Now()
		s.call("GET", "/v1/spaces", nil, nil)
		took = append(took, time.Since(start))
		<-numbers
		told = append(told, time.Since(start))
	}
	go func() {
		for range numbers { //nolint:revive // the load is not measured
		}
	}()
	one, _ := s.measureLoad("/v1/spaces", "sk_sandbox_platform")
	for range 9 {
		s.follow(nil)
	}
	ten, _ := s.measureLoad("/v1/spaces", "sk_sandbox_platform")
	for b.Loop() { // the figures don't come from a loop
	}
	slices.Sort(told)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(took), "ms-request-p50")
	b.ReportMetric(median(told), "ms-told-p50")
	b.ReportMetric(float64(told[len(told)*99/100].Microseconds())/1000, "ms-told-p99")
	b.ReportMetric(none, "µs-cpu/GET")
	b.ReportMetric(one, "µs-cpu/GET-1-stream")
	b.ReportMetric(ten, "µs-cpu/GET-10-streams")
	b.ReportMetric(s.status("VmRSS")/1024, "MiB")
}

// follow reads a stream of requests, and sends their numbers to a channel, if there is one.
func (s *benchServer) follow(numbers chan<- int64) {
	s.b.Helper()
	req, err := http.NewRequestWithContext(s.b.Context(), "GET", s.url+"/_soundstage/events?types=request", nil)
	require.NoError(s.b, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s.b, err)
	s.b.Cleanup(func() { _ = resp.Body.Close() })
	lines := bufio.NewReader(resp.Body)
	_, err = lines.ReadString('\n') // of the hello
	require.NoError(s.b, err)
	go func() {
		if numbers == nil {
			_, _ = io.Copy(io.Discard, lines)
			return
		}
		for event := ""; ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if name, ok := strings.CutPrefix(line, "event: "); ok {
				event = strings.TrimSpace(name)
			}
			data, ok := strings.CutPrefix(line, "data: ")
			if !ok || event != "request" {
				continue
			}
			var r struct {
				Number int64 `json:"number"`
			}
			if json.Unmarshal([]byte(data), &r) == nil {
				numbers <- r.Number
			}
		}
	}()
}

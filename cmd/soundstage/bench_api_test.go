package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkDeliveries makes a new sandbox send 5,000 events to a receiver on loopback. It reports deliveries per second, from the first
// request to the last receipt. No event may be lost.
func BenchmarkDeliveries(b *testing.B) {
	const events = 5_000
	bin := builtProgram(b)
	for b.Loop() {
		var mu sync.Mutex
		seen := map[string]bool{}
		all := make(chan struct{})
		receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
			_, _ = io.Copy(io.Discard, req.Body)
			mu.Lock()
			defer mu.Unlock()
			if seen[req.Header.Get("webhook-id")] = true; len(seen) == events {
				select {
				case <-all:
				default:
					close(all)
				}
			}
		}))
		s, _ := startSandboxProcess(b, bin, "--allow-private-urls")
		var made struct{ Webhook struct{ ID string } }
		s.call("POST", "/v1/webhooks", map[string]any{"url": receiver.URL, "events": []string{"output.completed"}}, &made)
		began := time.Now()
		concurrently(16, func(int) {
			for range events / 16 {
				s.call("POST", "/v1/webhooks/"+made.Webhook.ID+"/test", nil, nil)
			}
		})
		for range events % 16 {
			s.call("POST", "/v1/webhooks/"+made.Webhook.ID+"/test", nil, nil)
		}
		select {
		case <-all:
		case <-time.After(2 * time.Minute):
			mu.Lock()
			b.Fatalf("%d of %d events arrived", len(seen), events)
		}
		b.ReportMetric(events/time.Since(began).Seconds(), "deliveries/s")
		s.stop()
		receiver.Close()
	}
}

// BenchmarkMixedLoad runs 64 clients for 30 s on 60 recordings and 20 speakers: lists, transcripts, search, generation, chat, uploads, and
// updates. It reports the median and 99th percentile of the latency. Polls of outputs are reported separately, because they wait for
// generation to finish. No request may fail.
func BenchmarkMixedLoad(b *testing.B) {
	bin := builtProgram(b)
	wav, err := os.ReadFile(filepath.Join("..", "..", "testdata", "conversation.wav"))
	require.NoError(b, err)
	for b.Loop() {
		s, _ := startSandboxProcess(b, bin)
		ids := make([]string, 60)
		concurrently(4, func(k int) {
			for i := k; i < len(ids); i += 4 {
				ids[i] = s.record(wav)
			}
		})
		var spaces struct{ Spaces []struct{ ID string } }
		s.call("GET", "/v1/spaces", nil, &spaces)
		speakers := make([]string, 20)
		for i := range speakers {
			var made struct{ Speaker struct{ ID string } }
			s.call("POST", "/v1/spaces/"+spaces.Spaces[0].ID+"/speakers", map[string]any{"name": fmt.Sprintf("Speaker %d", i+1)}, &made)
			speakers[i] = made.Speaker.ID
		}
		until := time.Now().Add(30 * time.Second)
		took, polls := make([][]time.Duration, 64), make([][]time.Duration, 64)
		failures := make([]error, len(took))
		concurrently(len(took), func(k int) {
			rnd := rand.New(rand.NewPCG(1, uint64(k)))
			c := s.bareClient("sk_sandbox_platform")
			for failures[k] == nil && time.Now().Before(until) {
				method, path, body := randomRequest(rnd, ids[rnd.IntN(len(ids))], spaces.Spaces[0].ID, speakers[rnd.IntN(len(speakers))])
				began := time.Now()
				failures[k] = c.do(method, path, body)
				if strings.HasSuffix(path, "/outputs") {
					polls[k] = append(polls[k], time.Since(began))
				} else {
					took[k] = append(took[k], time.Since(began))
				}
			}
		})
		require.NoError(b, errors.Join(failures...))
		answers, waits := slices.Concat(took...), slices.Concat(polls...)
		b.ReportMetric(float64(len(answers)+len(waits))/30, "requests/s")
		b.ReportMetric(percentile(answers, 50), "p50-ms")
		b.ReportMetric(percentile(answers, 99), "p99-ms")
		b.ReportMetric(percentile(waits, 50), "polls-p50-ms")
		b.ReportMetric(percentile(waits, 99), "polls-p99-ms")
		s.stop()
	}
}

// percentile sorts durations and returns their p-th percentile in milliseconds.
func percentile(took []time.Duration, p int) float64 {
	slices.Sort(took)
	return float64(took[len(took)*p/100].Microseconds()) / 1000
}

// record creates a recording and waits for its transcript.
func (s *benchServer) record(wav []byte) string {
	s.b.Helper()
	var up struct {
		ObjectID  string `json:"object_id"`
		UploadURL string `json:"upload_url"`
	}
	s.call("POST", "/v1/uploads", map[string]any{"filename": "talk.wav", "content_type": "audio/wav", "content_size": len(wav)}, &up)
	req, err := http.NewRequest("PUT", up.UploadURL, strings.NewReader(string(wav)))
	require.NoError(s.b, err)
	req.Header.Set("Content-Type", "audio/wav")
	resp, err := benchClient.Do(req)
	require.NoError(s.b, err)
	_ = resp.Body.Close()
	var rec struct {
		Recording struct {
			ID               string
			TranscriptStatus string `json:"transcript_status"`
		}
	}
	s.call("POST", "/v1/recordings", map[string]any{"object_id": up.ObjectID}, &rec)
	id := rec.Recording.ID
	for rec.Recording.TranscriptStatus != "completed" {
		time.Sleep(5 * time.Millisecond)
		s.call("GET", "/v1/recordings/"+id, nil, &rec)
	}
	return id
}

// randomRequest returns a random request about a recording.
func randomRequest(rnd *rand.Rand, id, space, speaker string) (method, path string, body any) {
	recording := "/v1/recordings/" + id
	switch n := rnd.IntN(100); {
	case n < 25:
		return "GET", "/v1/recordings?limit=25", nil
	case n < 40:
		return "GET", recording, nil
	case n < 50:
		return "GET", recording + "/transcript", nil
	case n < 55:
		return "GET", recording + "/transcript?format=vtt", nil
	case n < 65:
		return "GET", "/v1/search?query=" + []string{"customer", "the", "Monday", "first+review"}[rnd.IntN(4)], nil
	case n < 72:
		return "GET", recording + "/outputs", nil
	case n < 80:
		return "GET", "/v1/spaces/" + space + "/speakers", nil
	case n < 85:
		return "GET", "/v1/prompts", nil
	case n < 90:
		return "POST", "/v1/uploads", map[string]any{"filename": "a.wav", "content_type": "audio/wav", "content_size": 10}
	case n < 94:
		return "POST", recording + "/generate", map[string]any{"prompt": fmt.Sprintf("Sum it up in %d points.", rnd.IntN(9))}
	case n < 97:
		return "POST", "/v1/chat", map[string]any{"message": "What did the customers say?", "recording_ids": []string{id}}
	case n < 99:
		return "PATCH", "/v1/speakers/" + speaker, map[string]any{"name": fmt.Sprintf("Ann %d", rnd.IntN(9))}
	}
	return "GET", "/v1/usage", nil
}

package openai_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/openai"
)

// long is media that repeats one minute of audio, varied each time.
type long struct {
	minute  pcm
	minutes int
}

func (l long) Probe(context.Context, engine.Source) (engine.MediaInfo, error) { return l.info(), nil }

func (l long) info() engine.MediaInfo {
	info := l.minute.info()
	info.Duration *= time.Duration(l.minutes)
	return info
}

func (l long) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(&repeat{long: l}), nil
}

// repeat is the reader of a long.
type repeat struct {
	long
	done int // bytes
}

func (r *repeat) Read(p []byte) (int, error) {
	at := r.done % len(r.minute)
	if r.done/len(r.minute) == r.minutes {
		return 0, io.EOF
	}
	n := copy(p, r.minute[at:])
	if at == 0 {
		p[0] = byte(r.done / len(r.minute))
	}
	r.done += n
	return n, nil
}

// BenchmarkHour measures our own work on an hour of audio, with a server that responds immediately. The target is at most 2 s and 80 MiB more than decoding.
func BenchmarkHour(b *testing.B) {
	media := long{noiseBursts(160, 300, 60, 20)[:60*32000], 60}
	answer := tenMinutes()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	}))
	defer server.Close()
	tr := newTranscriber(b, openai.TranscriberConfig{URL: server.URL, Media: media})
	var bare, all time.Duration
	var peak uint64
	for b.Loop() {
		start := time.Now()
		decoded, _ := media.Decode(b.Context(), nil)
		_, err := io.Copy(io.Discard, struct{ io.Reader }{decoded})
		require.NoError(b, err)
		bare += time.Since(start)
		runtime.GC()
		start = time.Now()
		highest := watchHeap(func() {
			got, err := tr.Transcribe(b.Context(), engine.TranscribeRequest{Info: media.info(), Checkpoints: &notes{}})
			require.NoError(b, err)
			require.Greater(b, len(got.Words), 8000)
		})
		all += time.Since(start)
		peak = max(peak, highest)
	}
	b.ReportMetric((all-bare).Seconds()/float64(b.N), "s-overhead")
	b.ReportMetric(bare.Seconds()/float64(b.N), "s-decode")
	b.ReportMetric(float64(peak)/(1<<20), "MiB-peak")
	b.ReportMetric(0, "ns/op")
}

// watchHeap returns the maximum growth of the heap in bytes while fn runs.
func watchHeap(fn func()) uint64 {
	heap := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	before, highest := heap(), uint64(0)
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			highest = max(highest, heap())
			select {
			case <-tick.C:
			case <-done:
				return
			}
		}
	})
	fn()
	close(done)
	watching.Wait()
	return highest - min(before, highest)
}

// tenMinutes returns OpenAI's response to ten minutes of speech at 2.5 words per second.
func tenMinutes() []byte {
	var segments, words bytes.Buffer
	for i := range 300 {
		said := []string{"And", "then", "we", "went", "home"}
		fmt.Fprintf(&segments, `,{"id":%d,"seek":0,"start":%d,"end":%d,"text":" %s.","tokens":[50364,%s50464],"temperature":0,"avg_logprob":-0.2,"compression_ratio":1.4,"no_speech_prob":0.01}`,
			i, 2*i, 2*i+2, strings.Join(said, " "), strings.Repeat("1000,", 20))
		for k, w := range said {
			fmt.Fprintf(&words, `,{"word":"%s","start":%.2f,"end":%.2f}`, w, float64(2*i)+0.4*float64(k), float64(2*i)+0.4*float64(k)+0.35)
		}
	}
	return fmt.Appendf(nil, `{"task":"transcribe","language":"english","duration":600,"text":"","segments":[%s],"words":[%s]}`, segments.Bytes()[1:], words.Bytes()[1:])
}

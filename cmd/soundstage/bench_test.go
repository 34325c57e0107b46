package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// These benchmarks measure the built program as a separate process, over a socket.

// BenchmarkStart starts a sandbox 20 times, without --data and with its request log, as in CI. Limits, as medians:
//
//   - until the first 200 from the health endpoint: 40 ms, 20 ms of CPU time, 30 MiB
//   - after 40,000 requests: 50 MiB, 60 µs of CPU time per simple GET
//   - the program: 30 MB
//
// TestPeers measures other servers in the same way.
func BenchmarkStart(b *testing.B) {
	bin := builtProgram(b)
	var cold, cpu []time.Duration
	var memory []float64
	var s *benchServer
	for i := range 20 {
		var d time.Duration
		s, d = startSandboxProcess(b, bin)
		cold, cpu, memory = append(cold, d), append(cpu, s.cpuTime()), append(memory, s.status("VmRSS")/1024)
		if i < 19 {
			s.stop()
		}
	}
	defer s.stop()
	info, err := os.Stat(bin)
	require.NoError(b, err)
	each, _ := s.measureLoad("/v1/spaces", "sk_sandbox_platform")
	for b.Loop() { // the figures don't come from a loop
	}
	slices.Sort(memory)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(cold), "ms-cold")
	b.ReportMetric(float64(cold[0].Microseconds())/1000, "ms-best")
	b.ReportMetric(median(cpu), "ms-cpu-ready")
	b.ReportMetric(memory[len(memory)/2], "MiB-ready")
	b.ReportMetric(s.status("VmRSS")/1024, "MiB-after-load")
	b.ReportMetric(each, "µs-cpu/GET")
	b.ReportMetric(float64(info.Size())/1e6, "MB-binary")
}

// minuteOfSpeech returns a WAV file of 1 min: the conversation of testdata, repeated.
func minuteOfSpeech(b *testing.B) []byte {
	b.Helper()
	raw, err := os.ReadFile(testdata("conversation.wav"))
	require.NoError(b, err)
	pcm := raw[44:]
	const size = 60 * 32_000
	for len(pcm) < size {
		pcm = append(pcm[:len(pcm):len(pcm)], raw[44:]...)
	}
	pcm = pcm[:size]
	var w bytes.Buffer
	w.WriteString("RIFF")
	_ = binary.Write(&w, binary.LittleEndian, uint32(36+size))
	w.WriteString("WAVEfmt ")
	for _, v := range []any{uint32(16), uint16(1), uint16(1), uint32(16_000), uint32(32_000), uint16(2), uint16(16)} {
		_ = binary.Write(&w, binary.LittleEndian, v)
	}
	w.WriteString("data")
	_ = binary.Write(&w, binary.LittleEndian, uint32(size))
	w.Write(pcm)
	return w.Bytes()
}

// BenchmarkMinuteOfSpeech uploads and transcribes 1 min of WAV over HTTP, without simulated delays. The limit is 400 ms, most of it for
// ffmpeg.
func BenchmarkMinuteOfSpeech(b *testing.B) {
	s, _ := startSandboxProcess(b, builtProgram(b))
	defer s.stop()
	wav := minuteOfSpeech(b)
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		var made struct {
			Recording struct {
				ID     string `json:"id"`
				Status string `json:"transcript_status"`
			} `json:"recording"`
		}
		s.call("POST", "/v1/recordings", map[string]any{"object_id": s.upload(int64(len(wav)), bytes.NewReader(wav))}, &made)
		for made.Recording.Status != "completed" {
			require.NotEqual(b, "error", made.Recording.Status)
			time.Sleep(2 * time.Millisecond)
			s.call("GET", "/v1/recordings/"+made.Recording.ID, nil, &made)
		}
		took = append(took, time.Since(began))
	}
	b.ReportMetric(median(took), "ms/transcript")
}

// fillStore writes n recordings into a new data folder.
func fillStore(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(dir, "soundstage.db"))
	require.NoError(b, err)
	e, err := engine.New(engine.Config{Store: store, Blobs: noBlobs{}})
	require.NoError(b, err)
	_, _, err = emulator.Accounts(ctx, e)
	require.NoError(b, err)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for done := 0; done < n; done += 1000 {
		require.NoError(b, store.Update(ctx, func(tx engine.Tx) error {
			for i := done; i < done+1000; i++ {
				at := start.Add(time.Duration(i) * time.Second)
				if err := tx.PutRecording(engine.Recording{
					ID: engine.RecordingID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)), SpaceID: emulator.SandboxSpaceID,
					Title: fmt.Sprintf("Episode %d: how we build the show", i), Number: i + 1, Language: "en", TranscriptStatus: engine.TranscriptCompleted,
					UploadID: engine.UploadID(fmt.Sprintf("obj_%d", i)), TranscriptID: engine.TranscriptID(fmt.Sprintf("t%d", i)), BlobKey: "x",
					Duration: 42 * time.Minute, CreatedAt: at, PublishedAt: &at,
				}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	require.NoError(b, store.Close())
	return dir
}

type noBlobs struct{ engine.Blobs }

// BenchmarkListRecordings lists pages of 25 recordings from SQLite over loopback. The median for 100,000 recordings must be at most 1.5
// times that for 1,000, for the first page and one in the middle, with at least 5,000 requests per second.
func BenchmarkListRecordings(b *testing.B) {
	bin := builtProgram(b)
	for _, n := range []int{1000, 100_000} {
		dir := fillStore(b, n)
		s, _ := startSandboxProcess(b, bin, "--data", dir)
		var page struct {
			Next string `json:"next_cursor"`
		}
		middle := ""
		for range n / 2 / 100 {
			s.call("GET", "/v1/recordings?limit=100"+middle, nil, &page)
			middle = "&cursor=" + page.Next
		}
		for _, where := range []struct{ name, cursor string }{{"first", ""}, {"middle", middle}} {
			b.Run(fmt.Sprintf("%d/%s", n, where.name), func(b *testing.B) { s.load(b, "/v1/recordings?limit=25"+where.cursor) })
		}
		s.stop()
	}
}

// load sends GET requests from 8 concurrent clients.
func (s *benchServer) load(b *testing.B, path string) {
	const clients = 8
	var all sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(b.N))
	took := make([][]time.Duration, clients)
	began := time.Now()
	b.ResetTimer()
	for i := range clients {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				req, _ := http.NewRequest(http.MethodGet, s.url+path, nil)
				req.Header.Set("Authorization", "Bearer sk_sandbox_core")
				start := time.Now()
				resp, err := benchClient.Do(req)
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				if resp.StatusCode != http.StatusOK {
					b.Error(resp.Status)
					return
				}
				took[i] = append(took[i], time.Since(start))
			}
		})
	}
	all.Wait()
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "requests/s")
	b.ReportMetric(median(slices.Concat(took...)), "ms/p50")
}

// BenchmarkUpload2GB uploads 2 GB. The program's memory may grow by at most 64 MiB.
func BenchmarkUpload2GB(b *testing.B) {
	s, _ := startSandboxProcess(b, builtProgram(b))
	defer s.stop()
	const size = 2_000_000_000
	for b.Loop() {
		before := s.status("VmRSS")
		began := time.Now()
		s.upload(size, io.LimitReader(zeros{}, size))
		b.ReportMetric((s.status("VmHWM")-before)/1024, "MiB/growth")
		b.ReportMetric(size/1e6/time.Since(began).Seconds(), "MB/s")
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// BenchmarkIdle measures a sandbox without requests: at most 40 MiB, and no measurable CPU time.
func BenchmarkIdle(b *testing.B) {
	s, _ := startSandboxProcess(b, builtProgram(b))
	defer s.stop()
	const watch = 10 * time.Second
	before := s.cpu()
	time.Sleep(watch)
	used := s.cpu() - before
	for b.Loop() { // the figures don't come from a loop
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(s.status("VmRSS")/1024, "MiB")
	b.ReportMetric(100*used.Seconds()/watch.Seconds(), "%CPU")
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/sqlite"
	"github.com/soundstage-dev/soundstage/engine"
)

// The benchmarks here measure the program as its users have it: a process of its own behind a real socket.

// program is the built program.
func program(b *testing.B) string {
	b.Helper()
	needFFmpeg(b)
	bin := filepath.Join(b.TempDir(), "soundstage")
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	require.NoError(b, err, "%s", out)
	return bin
}

// served is a running program.
type served struct {
	b   testing.TB
	cmd *exec.Cmd
	url string
}

var benchClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// launch starts the program and returns when health answers, and how long that took.
func launch(b *testing.B, bin string, args ...string) (*served, time.Duration) {
	b.Helper()
	return launched(b, "/_soundstage/health", "none", os.Stderr, func(port string) *exec.Cmd {
		return exec.Command(bin, append([]string{"serve", "--log", "off", "--addr", "127.0.0.1:" + port}, args...)...)
	})
}

// launched starts a server on a port and returns when it answers 200, and how long that took.
func launched(b testing.TB, path, secret string, stderr io.Writer, command func(port string) *exec.Cmd) (*served, time.Duration) {
	b.Helper()
	port := strconv.Itoa(20_000 + os.Getpid()%10_000 + int(portOffset.Add(1)))
	s := &served{b: b, url: "http://127.0.0.1:" + port, cmd: command(port)}
	s.cmd.Stderr = stderr
	began := time.Now()
	require.NoError(b, s.cmd.Start())
	b.Cleanup(func() { _ = s.cmd.Process.Kill() })
	for {
		req, err := http.NewRequest(http.MethodGet, s.url+path, nil)
		require.NoError(b, err)
		req.Header.Set("Authorization", "Bearer "+secret)
		resp, err := benchClient.Do(req)
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return s, time.Since(began)
			}
		}
		require.Less(b, time.Since(began), 30*time.Second, "%v: %v", s.cmd.Args, err)
		time.Sleep(500 * time.Microsecond)
	}
}

var portOffset atomic.Int64

func (s *served) stop() {
	s.b.Helper()
	require.NoError(s.b, s.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(s.b, s.cmd.Wait())
}

// hammer sends 40,000 requests for a path over 8 connections, as fast as they are answered, by a client that costs next to nothing. It
// returns the processor time of each, in microseconds, and how many were answered in a second.
func (s *served) hammer(path, secret string) (each, perSecond float64) {
	s.b.Helper()
	const requests, connections = 40_000, 8
	ask := []byte("GET " + path + " HTTP/1.1\r\nHost: " + strings.TrimPrefix(s.url, "http://") + "\r\nAuthorization: Bearer " + secret + "\r\n\r\n")
	failures := make([]error, connections)
	before, began := s.cpuTime(), time.Now()
	together(connections, func(k int) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			failures[k] = err
			return
		}
		defer func() { _ = conn.Close() }()
		in := bufio.NewReader(conn)
		for range requests / connections {
			if _, failures[k] = conn.Write(ask); failures[k] != nil {
				return
			}
			if failures[k] = skipAnswer(in); failures[k] != nil {
				return
			}
		}
	})
	took := time.Since(began)
	require.NoError(s.b, errors.Join(failures...))
	return float64((s.cpuTime() - before).Microseconds()) / requests, requests / took.Seconds()
}

// skipAnswer reads an answer of 200 that has a Content-Length or comes in chunks.
func skipAnswer(in *bufio.Reader) error {
	length, status, chunked := -1, "", false
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if status == "" {
			status = string(line)
		}
		if len(line) <= 2 {
			break
		}
		switch name, value, _ := bytes.Cut(line, []byte(":")); {
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	switch {
	case !strings.Contains(status, " 200 ") || length < 0 && !chunked:
		return fmt.Errorf("answered %.100q, %d bytes", status, length)
	case chunked:
		if _, err := io.Copy(io.Discard, httputil.NewChunkedReader(in)); err != nil {
			return err
		}
		length = len("\r\n")
	}
	_, err := in.Discard(length)
	return err
}

// status reads a figure of /proc/PID/status, in KiB; 0 where there is no such thing.
func (s *served) status(name string) float64 {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	for _, line := range strings.Split(string(raw), "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name+":" {
			n, _ := strconv.ParseFloat(f[1], 64)
			return n
		}
	}
	return 0
}

// cpu is the processor time that the program has used.
func (s *served) cpu() time.Duration {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	_, rest, _ := strings.Cut(string(raw), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	sys, _ := strconv.Atoi(f[12])
	return time.Duration(user+sys) * 10 * time.Millisecond
}

// cpuTime is the processor time that the program's threads have used, to the microsecond, where /proc tells; else as cpu.
func (s *served) cpuTime() time.Duration {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", s.cmd.Process.Pid))
	var all time.Duration
	for _, task := range tasks {
		raw, _ := os.ReadFile(task)
		ran, _, _ := strings.Cut(string(raw), " ")
		n, _ := strconv.ParseInt(ran, 10, 64)
		all += time.Duration(n)
	}
	if all == 0 {
		return s.cpu()
	}
	return all
}

func (s *served) call(method, path string, in, out any) {
	s.b.Helper()
	raw, err := json.Marshal(in)
	require.NoError(s.b, err)
	req, err := http.NewRequest(method, s.url+path, bytes.NewReader(raw))
	require.NoError(s.b, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	resp, err := benchClient.Do(req)
	require.NoError(s.b, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(s.b, err)
	require.Less(s.b, resp.StatusCode, 300, "%s", body)
	if out != nil {
		require.NoError(s.b, json.Unmarshal(body, out))
	}
}

func (s *served) upload(size int64, body io.Reader) (objectID string) {
	s.b.Helper()
	var up struct {
		ObjectID string `json:"object_id"`
		URL      string `json:"upload_url"`
	}
	s.call("POST", "/v1/uploads", map[string]any{"filename": "a.wav", "content_type": "audio/wav", "content_size": size}, &up)
	req, err := http.NewRequest(http.MethodPut, up.URL, body)
	require.NoError(s.b, err)
	req.ContentLength = size
	req.Header.Set("Content-Type", "audio/wav")
	resp, err := benchClient.Do(req)
	require.NoError(s.b, err)
	require.NoError(s.b, resp.Body.Close())
	require.Equal(s.b, 200, resp.StatusCode)
	return up.ObjectID
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2].Microseconds()) / 1000
}

// An ephemeral sandbox with its log of requests, as CI has it, medians of 20 starts: from the start of the process to the first 200 on
// health at most 40 ms, 20 ms of processor time; at most 30 MiB then, and 50 MiB after 40,000 requests; at most 60 µs of processor time
// for a simple GET; a program of at most 30 MB. TestPeers has the same of others.
func BenchmarkStart(b *testing.B) {
	bin := stripped(b)
	var cold, cpu []time.Duration
	var memory []float64
	var s *served
	for i := range 20 {
		var d time.Duration
		s, d = launch(b, bin)
		cold, cpu, memory = append(cold, d), append(cpu, s.cpuTime()), append(memory, s.status("VmRSS")/1024)
		if i < 19 {
			s.stop()
		}
	}
	defer s.stop()
	info, err := os.Stat(bin)
	require.NoError(b, err)
	each, _ := s.hammer("/v1/spaces", "sk_sandbox_platform")
	for b.Loop() { // the figures are not of a loop
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

// stripped is the program as `make build` and the image have it.
func stripped(b testing.TB) string {
	b.Helper()
	needFFmpeg(b)
	bin := filepath.Join(b.TempDir(), "soundstage")
	out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, ".").CombinedOutput()
	require.NoError(b, err, "%s", out)
	return bin
}

// minuteOfSpeech is the conversation of testdata, repeated to a minute, as a WAV file.
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

// A minute of WAV uploaded, recorded and transcribed over HTTP with the instant clock: at most 400 ms, most of it ffmpeg's.
func BenchmarkMinuteOfSpeech(b *testing.B) {
	s, _ := launch(b, program(b))
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

// fill writes n recordings into a new data folder.
func fill(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(dir, "soundstage.db"))
	require.NoError(b, err)
	e, err := engine.New(engine.Config{Store: store, Blobs: nothing{}})
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

type nothing struct{ engine.Blobs }

// A page of 25 recordings from SQLite over loopback: the median for 100,000 recordings is at most 1.5 times that for 1,000, for the
// first page and for one in the middle; at least 5,000 requests per second.
func BenchmarkListRecordings(b *testing.B) {
	bin := program(b)
	for _, n := range []int{1000, 100_000} {
		dir := fill(b, n)
		s, _ := launch(b, bin, "--data", dir)
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

// load sends a GET from eight clients at once.
func (s *served) load(b *testing.B, path string) {
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

// An upload of 2 GB: the program's memory grows by at most 64 MiB.
func BenchmarkUpload2GB(b *testing.B) {
	s, _ := launch(b, program(b))
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

// A sandbox that nobody asks for anything: at most 40 MiB, and no processor time that can be measured.
func BenchmarkIdle(b *testing.B) {
	s, _ := launch(b, program(b))
	defer s.stop()
	const watch = 10 * time.Second
	before := s.cpu()
	time.Sleep(watch)
	used := s.cpu() - before
	for b.Loop() { // the figures are not of a loop
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(s.status("VmRSS")/1024, "MiB")
	b.ReportMetric(100*used.Seconds()/watch.Seconds(), "%CPU")
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
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
)

// program is the built program.
func program(b testing.TB) string {
	b.Helper()
	needFFmpeg(b)
	return built(b, ".")
}

// built is a package's program, as `make build` and the image have ours.
func built(b testing.TB, pkg string) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "program")
	out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, pkg).CombinedOutput()
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

// hammer sends 40,000 requests for a path over 8 connections, as fast as they are answered. It returns the processor time that the server
// takes for each, in microseconds, and how many are answered in a second.
func (s *served) hammer(path, secret string) (each, perSecond float64) {
	s.b.Helper()
	const requests, connections = 40_000, 8
	clients := make([]*bareClient, connections)
	for k := range clients {
		clients[k] = s.bareClient(secret)
	}
	failures := make([]error, connections)
	before, began := s.cpuTime(), time.Now()
	together(connections, func(k int) {
		for range requests / connections {
			if failures[k] = clients[k].do(http.MethodGet, path, nil); failures[k] != nil {
				return
			}
		}
	})
	took := time.Since(began)
	require.NoError(s.b, errors.Join(failures...))
	return float64((s.cpuTime() - before).Microseconds()) / requests, requests / took.Seconds()
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

// together runs fn n times at once.
func together(n int, fn func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { fn(i) })
	}
	wg.Wait()
}

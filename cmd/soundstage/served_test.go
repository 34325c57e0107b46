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

// builtProgram builds the program and returns its path.
func builtProgram(b testing.TB) string {
	b.Helper()
	needFFmpeg(b)
	return buildProgram(b, ".")
}

// buildProgram builds a package's program with the flags of `make build` and of the image, and returns its path.
func buildProgram(b testing.TB, pkg string) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "program")
	out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, pkg).CombinedOutput()
	require.NoError(b, err, "%s", out)
	return bin
}

// benchServer is a running server.
type benchServer struct {
	b   testing.TB
	cmd *exec.Cmd
	url string
}

var benchClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// startSandboxProcess starts the program and waits for its health endpoint. It also returns how long that took.
func startSandboxProcess(b *testing.B, bin string, args ...string) (*benchServer, time.Duration) {
	b.Helper()
	return startServer(b, "/_soundstage/health", "none", os.Stderr, func(port string) *exec.Cmd {
		return exec.Command(bin, append([]string{"serve", "--log", "off", "--addr", "127.0.0.1:" + port}, args...)...)
	})
}

// startServer starts a server on a port and waits for a response with status 200. It also returns how long that took.
func startServer(b testing.TB, path, secret string, stderr io.Writer, command func(port string) *exec.Cmd) (*benchServer, time.Duration) {
	b.Helper()
	port := strconv.Itoa(20_000 + os.Getpid()%10_000 + int(portOffset.Add(1)))
	s := &benchServer{b: b, url: "http://127.0.0.1:" + port, cmd: command(port)}
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

func (s *benchServer) stop() {
	s.b.Helper()
	require.NoError(s.b, s.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(s.b, s.cmd.Wait())
}

// measureLoad sends 40,000 requests over 8 connections, each as soon as the previous one is answered. It returns the server's CPU time for each
// request in microseconds, and the requests per second.
func (s *benchServer) measureLoad(path, secret string) (each, perSecond float64) {
	s.b.Helper()
	const requests, connections = 40_000, 8
	clients := make([]*bareClient, connections)
	for k := range clients {
		clients[k] = s.bareClient(secret)
	}
	failures := make([]error, connections)
	before, began := s.cpuTime(), time.Now()
	concurrently(connections, func(k int) {
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

// status reads a value of /proc/PID/status in KiB. It returns 0 on systems without it.
func (s *benchServer) status(name string) float64 {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	for _, line := range strings.Split(string(raw), "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name+":" {
			n, _ := strconv.ParseFloat(f[1], 64)
			return n
		}
	}
	return 0
}

// cpu returns the CPU time that the program has used.
func (s *benchServer) cpu() time.Duration {
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

// cpuTime returns the CPU time that the program's threads have used, from /proc with microsecond precision, or else from cpu.
func (s *benchServer) cpuTime() time.Duration {
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

func (s *benchServer) call(method, path string, in, out any) {
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

func (s *benchServer) upload(size int64, body io.Reader) (objectID string) {
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

// concurrently runs fn n times concurrently and waits.
func concurrently(n int, fn func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { fn(i) })
	}
	wg.Wait()
}

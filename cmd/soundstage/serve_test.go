package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// process is `soundstage serve` as a separate process.
type process struct {
	t        *testing.T
	cmd      *exec.Cmd
	url      string
	greeting string
	exited   chan error
	stderr   *written
}

var listening = regexp.MustCompile(`on (http://127\.0\.0\.1:\d+)`)

// written collects what a running process writes.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *written) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *written) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// serveProcess starts the program and waits for its greeting.
func serveProcess(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	needFFmpeg(t)
	cmd := programCommand(append([]string{"serve", "--addr", "127.0.0.1:0", "--log", "off"}, args...)...)
	cmd.Env = append(cmd.Env, env...)
	return startProcess(t, cmd)
}

// startProcess starts a command that runs the program's serve, and waits for its greeting.
func startProcess(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p, err := tryProcess(t, cmd)
	require.NoError(t, err)
	return p
}

// tryProcess is startProcess that returns an error if the program exits without a greeting.
func tryProcess(t *testing.T, cmd *exec.Cmd) (*process, error) {
	t.Helper()
	p := &process{t: t, cmd: cmd, exited: make(chan error, 1), stderr: &written{}}
	p.cmd.Stderr = p.stderr
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadString('\n')
		p.greeting += line
		if strings.Contains(line, "Ctrl-C") {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w, %w: %s%s", err, p.cmd.Wait(), p.greeting, p.stderr)
		}
	}
	p.url = listening.FindStringSubmatch(p.greeting)[1]
	go func() {
		_, _ = io.Copy(io.Discard, r)
		p.exited <- p.cmd.Wait()
	}()
	return p, nil
}

func (p *process) signal(s os.Signal) error {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(s))
	select {
	case err := <-p.exited:
		return err
	case <-time.After(time.Minute):
		p.t.Fatal("the process doesn't exit")
		return nil
	}
}

func (p *process) call(method, path, secret string, body any) (int, map[string]any) {
	p.t.Helper()
	raw, err := json.Marshal(body)
	require.NoError(p.t, err)
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, bytes.NewReader(raw))
	require.NoError(p.t, err)
	req.Header.Set("Authorization", "Bearer "+secret)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(p.t, err)
	defer func() { _ = resp.Body.Close() }()
	var v map[string]any
	require.NoError(p.t, json.NewDecoder(resp.Body).Decode(&v))
	return resp.StatusCode, v
}

func (p *process) record(name string) string {
	p.t.Helper()
	return p.recordFile(testdata(name))
}

// recordFile uploads a file, creates a recording of it, and returns the recording's id.
func (p *process) recordFile(path string) string {
	p.t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(p.t, err)
	_, up := p.call("POST", "/v1/uploads", "sk_sandbox_platform", map[string]any{"filename": filepath.Base(path), "content_type": "audio/wav", "content_size": len(b)})
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPut, up["upload_url"].(string), bytes.NewReader(b))
	require.NoError(p.t, err)
	req.Header.Set("Content-Type", "audio/wav")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(p.t, err)
	require.NoError(p.t, resp.Body.Close())
	require.Equal(p.t, 200, resp.StatusCode)
	status, rec := p.call("POST", "/v1/recordings", "sk_sandbox_platform", map[string]any{"object_id": up["object_id"]})
	require.Equal(p.t, 201, status)
	return rec["recording"].(map[string]any)["id"].(string)
}

// waitStatus polls a recording until its transcript has the status want.
func (p *process) waitStatus(id, want string) {
	p.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		_, v := p.call("GET", "/v1/recordings/"+id, "sk_sandbox_platform", nil)
		got := v["recording"].(map[string]any)["transcript_status"]
		if got == want {
			return
		}
		require.NotEqual(p.t, "error", got)
		require.True(p.t, time.Now().Before(deadline), "still %v", got)
	}
}

// The greeting has the address, the secrets, and three curl commands. SIGTERM and SIGINT drain the program, which leaves no files.
func TestServeAndStop(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		temp := t.TempDir()
		p := serveProcess(t, []string{"TMPDIR=" + temp})
		for _, secret := range []string{"sk_sandbox_core", "sk_sandbox_automation", "sk_sandbox_platform", "sk_sandbox_none", "sk_sandbox_other"} {
			require.Contains(t, p.greeting, secret)
		}
		require.Equal(t, 3, strings.Count(p.greeting, "  curl "))
		p.waitStatus(p.record("tone.wav"), "completed")
		require.NoError(t, p.signal(signal))
		require.Contains(t, p.stderr.String(), "draining")
		left, err := os.ReadDir(temp)
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

// Nothing of a start is worth a collection of garbage, which would cost a sixth of it.
func TestStartWithoutCollection(t *testing.T) {
	t.Parallel()
	p := serveProcess(t, []string{"GODEBUG=gctrace=1", "GOGC="})
	require.NotContains(t, p.stderr.String(), "gc 1 @")
	require.NoError(t, p.signal(syscall.SIGTERM))
}

// A process that is killed during a transcription loses nothing: the next one on the same folder completes it, once.
func TestKillAndRestart(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it starts many programs")
	dir := t.TempDir()
	p := serveProcess(t, nil, "--data", dir, "--clock", "real")
	id := p.record("conversation.wav")
	p.waitStatus(id, "processing")
	require.Error(t, p.signal(syscall.SIGKILL))

	p = serveProcess(t, nil, "--data", dir) // with --clock auto, which skips the delays
	began := time.Now()
	p.waitStatus(id, "completed")
	t.Logf("completed %v after the restart", time.Since(began))
	_, v := p.call("GET", "/v1/recordings", "sk_sandbox_platform", nil)
	require.Equal(t, 1.0, v["count"])
	_, v = p.call("GET", "/v1/recordings/"+id+"/transcript", "sk_sandbox_platform", nil)
	require.NotEmpty(t, v["utterances"])
	require.NoError(t, p.signal(syscall.SIGTERM))
}

// A second process on the same folder or port exits with 4.
func TestServeTwice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serveProcess(t, nil, "--data", dir)
	code, _, errOut := cli(t, "serve", "--addr", "127.0.0.1:0", "--data", dir)
	require.Equal(t, 4, code, errOut)
	require.Contains(t, errOut, "in use")
	code, _, errOut = cli(t, "keys", "list", "--data", dir)
	require.Equal(t, 4, code, errOut)
	code, _, errOut = cli(t, "serve", "--addr", strings.TrimPrefix(p.url, "http://"))
	require.Equal(t, 4, code, errOut)
	require.Contains(t, errOut, "--addr")
	require.NoError(t, p.signal(syscall.SIGTERM))
}

// A key of a data folder works until it is deleted. Its secret is shown once.
func TestKeys(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	code, out, errOut := cli(t, "keys", "create", "--data", dir, "--tier", "core", "--name", "ci")
	require.Zero(t, code, errOut)
	secret := strings.TrimSpace(out)
	require.True(t, strings.HasPrefix(secret, "sk_"), secret)
	code, out, _ = cli(t, "keys", "list", "--data", dir)
	require.Zero(t, code)
	require.NotContains(t, out, secret)
	require.Contains(t, out, "ci")
	id := regexp.MustCompile(`(?m)^(\S+) +core +`).FindStringSubmatch(out)[1]
	for i, want := range []int{200, 401} {
		p := serveProcess(t, nil, "--data", dir)
		status, _ := p.call("GET", "/v1/spaces", secret, nil)
		require.Equal(t, want, status, fmt.Sprint("round ", i))
		require.NoError(t, p.signal(syscall.SIGTERM))
		code, _, errOut = cli(t, "keys", "delete", "--data", dir, id)
		if i == 0 {
			require.Zero(t, code, errOut)
		} else {
			require.Equal(t, 3, code, errOut)
		}
	}
}

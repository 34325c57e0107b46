//go:build unix

package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serveReady starts the program with a ready file and returns the file's content.
func serveReady(t *testing.T, path string, args ...string) (*process, readiness) {
	t.Helper()
	p := serveProcess(t, nil, append([]string{"--ready-file", path}, args...)...)
	raw, err := os.ReadFile(path)
	require.NoError(t, err, "the ready file must exist before the greeting")
	var r readiness
	require.NoError(t, json.Unmarshal(raw, &r), "%s", raw)
	return p, r
}

// The ready file has the address and secrets of a running sandbox. Only its owner can read it, and it is removed when the sandbox stops.
func TestReadyFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "ready.json")
	p, r := serveReady(t, path, "--public-url", "https://sandbox.example/")
	require.Equal(t, readiness{
		URL: p.url, PublicURL: "https://sandbox.example/", ControlURL: p.url + "/_soundstage", Secret: "sk_sandbox_platform",
		Secrets: map[string]string{
			"none": "sk_sandbox_none", "core": "sk_sandbox_core", "automation": "sk_sandbox_automation", "platform": "sk_sandbox_platform", "other": "sk_sandbox_other",
		},
		PID: p.cmd.Process.Pid, Version: versionString(),
	}, r)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	_, up := p.call("POST", "/v1/uploads", r.Secret, map[string]any{"filename": "a.wav", "content_type": "audio/wav", "content_size": 9})
	require.True(t, strings.HasPrefix(up["upload_url"].(string), "https://sandbox.example/storage/"), up)
	require.NoError(t, p.signal(syscall.SIGTERM))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// A sandbox replaces the ready file of a killed process, and doesn't remove a file that another process wrote. The file has the secrets of
// --secret-file.
func TestReadyFileReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "ready.json")
	p, stale := serveReady(t, path)
	require.Error(t, p.signal(syscall.SIGKILL))
	require.FileExists(t, path)

	secrets := filepath.Join(dir, "secrets")
	require.NoError(t, os.WriteFile(secrets, []byte("core 0123456789abcdef\nautomation fedcba9876543210\n"), 0o600))
	p, fresh := serveReady(t, path, "--secret-file", secrets)
	require.NotEqual(t, stale.PID, fresh.PID)
	require.Equal(t, "fedcba9876543210", fresh.Secret)
	require.Equal(t, map[string]string{"core": "0123456789abcdef", "automation": "fedcba9876543210"}, fresh.Secrets)
	require.NoError(t, os.WriteFile(path, []byte("{}"), 0o600))
	require.NoError(t, p.signal(syscall.SIGTERM))
	require.FileExists(t, path)

	// A failed start leaves no ready file, and a folder is never removed.
	code, _, errOut := cli(t, "serve", "--addr", "nowhere", "--ready-file", path)
	require.Equal(t, 2, code, errOut)
	require.NoFileExists(t, path)
	code, _, errOut = cli(t, "serve", "--addr", "127.0.0.1:0", "--ready-file", dir)
	require.Equal(t, 5, code, errOut)
	require.Contains(t, errOut, "not a regular file")
}

// A sandbox that answers is healthy. A server that doesn't answer in time, reports an error, or is not a sandbox exits with 1 and a
// message.
func TestHealthcheck(t *testing.T) {
	t.Parallel()
	p := serveProcess(t, nil)
	port := p.url[strings.LastIndex(p.url, ":"):]
	for _, args := range [][]string{{"--url", p.url}, {"--url", p.url + "/"}, {"--addr", "127.0.0.1" + port}, {"--addr", "0.0.0.0" + port}, {"--addr", port}} {
		code, out, errOut := cli(t, append([]string{"healthcheck"}, args...)...)
		require.Zero(t, code, errOut)
		require.Equal(t, "healthy\n", out)
	}
	require.NoError(t, p.signal(syscall.SIGTERM))

	stop := make(chan struct{})
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch {
		case strings.HasPrefix(req.URL.Path, "/ill"):
			w.WriteHeader(http.StatusServiceUnavailable)
		case strings.HasPrefix(req.URL.Path, "/slow"):
			select {
			case <-stop:
			case <-req.Context().Done():
			}
		default:
			_, _ = w.Write([]byte("<html>"))
		}
	}))
	defer other.Close()
	defer close(stop)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--url", p.url}, 1, "doesn't answer"},
		{[]string{"--url", other.URL + "/ill"}, 1, "503"},
		{[]string{"--url", other.URL}, 1, "not a healthy sandbox"},
		{[]string{"--url", other.URL + "/slow", "--timeout", "50ms"}, 1, "deadline"},
		{[]string{"--url", "here"}, 2, "not a valid sandbox URL"},
		{[]string{"--addr", "127.0.0.1:0"}, 2, "not the address of a sandbox"},
		{[]string{"--timeout", "0"}, 2, "--timeout"},
		{[]string{"now"}, 2, "expected no arguments"},
	} {
		began := time.Now()
		code, out, errOut := cli(t, append([]string{"healthcheck"}, c.args...)...)
		require.Equal(t, c.code, code, "%v: %s", c.args, errOut)
		require.Empty(t, out)
		require.Contains(t, errOut, c.says)
		require.Less(t, time.Since(began), time.Minute)
	}
}

// In a container, healthcheck uses serve's address from the environment. --addr overrides the URL that exec sets.
func TestHealthcheckInAnEnvironment(t *testing.T) {
	p := serveProcess(t, nil)
	port := p.url[strings.LastIndex(p.url, ":"):]
	t.Setenv("SOUNDSTAGE_ADDR", "0.0.0.0"+port)
	code, _, errOut := cli(t, "healthcheck")
	require.Zero(t, code, errOut)
	t.Setenv("SOUNDSTAGE_URL", "http://127.0.0.1:1")
	code, _, _ = cli(t, "healthcheck")
	require.Equal(t, 1, code)
	code, _, errOut = cli(t, "healthcheck", "--addr", "127.0.0.1"+port)
	require.Zero(t, code, errOut)
	require.NoError(t, p.signal(syscall.SIGTERM))
}

// A sandbox accepts the public sandbox secrets on a non-loopback address only with --allow-sandbox-secrets.
func TestSandboxSecretsOnOtherAddresses(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	code, _, errOut := cli(t, "serve", "--addr", "0.0.0.0:0")
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "--allow-sandbox-secrets")
	path := filepath.Join(t.TempDir(), "ready.json")
	cmd := programCommand("serve", "--addr", "0.0.0.0:0", "--allow-sandbox-secrets", "--log", "off", "--ready-file", path)
	out := startCommand(t, cmd)
	for !strings.Contains(readLine(t, out), "Ctrl-C") {
	}
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var r readiness
	require.NoError(t, json.Unmarshal(raw, &r))
	require.Regexp(t, `^http://127\.0\.0\.1:\d+$`, r.URL)
	code, _, errOut = cli(t, "healthcheck", "--url", r.URL)
	require.Zero(t, code, errOut)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
}

// The health of a node is the status of the endpoint that --url names.
func TestHealthcheckOfANode(t *testing.T) {
	t.Parallel()
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path != "/healthz" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(node.Close)
	code, out, _ := cli(t, "healthcheck", "--url", node.URL+"/healthz")
	require.Zero(t, code)
	require.Equal(t, "healthy\n", out)
	code, _, errOut := cli(t, "healthcheck", "--url", node.URL+"/readyz")
	require.Equal(t, 1, code)
	require.Contains(t, errOut, "503")
}

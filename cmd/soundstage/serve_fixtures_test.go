package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// serve --fixtures loads a file. An invalid file exits with 2, and the error has the line and column.
func TestServeFixtures(t *testing.T) {
	t.Parallel()
	p := serveProcess(t, nil, "--fixtures", "../../emulator/fixture/testdata/fixtures/example.yaml")
	req, err := http.NewRequestWithContext(t.Context(), "GET", p.url+"/v1/recordings/0195d3a0-0000-4000-8000-000000000001", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_core")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode, "%s", body)
	require.Contains(t, string(body), `"title":"Pilot"`)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, <-p.exited)

	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	require.NoError(t, os.WriteFile(wrong, []byte("version: 1\nspace: []\n"), 0o600))
	cmd := exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--fixtures", wrong)
	cmd.Env = append(os.Environ(), "SOUNDSTAGE_TEST_MAIN=1")
	said, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 2, cmd.ProcessState.ExitCode(), "%s", said)
	require.Contains(t, string(said), wrong+":2:1: a fixture has no member")
}

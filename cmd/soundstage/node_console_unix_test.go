//go:build unix

package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A node with a token says where its console is, and serves it there.
func TestNodeConsole(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	line := nodeFiles(t).Replace("--database DB --objects OBJ --signing-key-file KEY --control-token-file KEY --no-work --drain-delay 0")
	ready := filepath.Join(t.TempDir(), "ready.json")
	var greeting lockedBuffer
	cmd := programCommand(append(strings.Fields("serve --addr 127.0.0.1:0 --log off --ready-file "+ready), strings.Fields(line)...)...)
	cmd.Stdout, cmd.Stderr = &greeting, &greeting
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	var there readiness
	require.Eventually(t, func() bool {
		b, err := os.ReadFile(ready)
		return err == nil && json.Unmarshal(b, &there) == nil
	}, 20*time.Second, 10*time.Millisecond, "%s", &greeting)
	require.Eventually(t, func() bool { // it is printed after the file is written
		return strings.Contains(greeting.String(), "Console for operators on "+there.URL+"/_soundstage/console/\n")
	}, 20*time.Second, 10*time.Millisecond, "%s", &greeting)
	req, err := http.NewRequest("GET", there.URL+"/_soundstage/health", nil)
	require.NoError(t, err)
	req.Header.Set("X-Soundstage-Token", strings.Repeat("k", 32))
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
}

package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A sandbox with --stop-on-eof runs while its standard input is open, and stops as after a signal when it ends.
func TestStopOnEOF(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	ready := filepath.Join(t.TempDir(), "ready.json")
	cmd := programCommand("serve", "--addr", "127.0.0.1:0", "--log", "off", "--ready-file", ready, "--stop-on-eof")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	p := startProcess(t, cmd)
	_, err = in.Write([]byte("what is written is ignored\n"))
	require.NoError(t, err)
	status, _ := p.call("GET", "/v1/spaces", "sk_sandbox_platform", nil)
	require.Equal(t, 200, status)
	require.FileExists(t, ready)
	require.NoError(t, in.Close())
	select {
	case err := <-p.exited:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		t.Fatal("the sandbox didn't stop")
	}
	require.NoFileExists(t, ready)
}

//go:build unix

package command_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// Cancelling ends the program with its child processes, and a run that waits for a slot.
func TestCancel(t *testing.T) {
	t.Parallel()
	held := filepath.Join(t.TempDir(), "child")
	tr := open(t, with("hold="+held, "hang"))
	ctx, cancel := context.WithCancel(t.Context())
	running, waiting := make(chan error, 1), make(chan error, 1)
	go func() { _, err := tr.Transcribe(ctx, request()); running <- err }()
	var pid int
	require.Eventually(t, func() bool {
		b, _ := os.ReadFile(held)
		pid, _ = strconv.Atoi(string(b))
		return pid > 0
	}, time.Minute, 5*time.Millisecond)
	go func() { _, err := tr.Transcribe(ctx, request()); waiting <- err }()
	require.NoError(t, syscall.Kill(pid, 0))
	cancel()
	for _, over := range []chan error{running, waiting} {
		require.Equal(t, engine.CodeCanceled, engine.CodeOf(<-over))
	}
	require.Eventually(t, func() bool { return gone(pid) }, time.Minute, 5*time.Millisecond)
}

// gone reports whether a process has ended. A zombie has ended.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

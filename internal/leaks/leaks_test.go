package leaks_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/leaks"
)

// Wait returns an error that names each kind of leak, and nil when the leak has ended. Not parallel: it counts everything of the process.
func TestWait(t *testing.T) {
	for name, leak := range map[string]func(t *testing.T, folder string) (end func()){
		"goroutines": func(*testing.T, string) func() {
			done, ended := make(chan struct{}), make(chan struct{})
			go func() { <-done; close(ended) }()
			return func() { close(done); <-ended }
		},
		"files": func(t *testing.T, folder string) func() {
			path := filepath.Join(folder, "left")
			require.NoError(t, os.WriteFile(path, nil, 0o600))
			return func() { require.NoError(t, os.Remove(path)) }
		},
		"memory": func(*testing.T, string) func() {
			b := make([]byte, 2*leaks.Margin)
			return func() { runtime.KeepAlive(b); b = nil }
		},
		"descriptors": func(t *testing.T, _ string) func() {
			onLinux(t)
			r, w, err := os.Pipe()
			require.NoError(t, err)
			return func() { require.NoError(t, r.Close()); require.NoError(t, w.Close()) }
		},
		"child processes": func(t *testing.T, _ string) func() {
			onLinux(t)
			cmd := exec.Command("cat")
			in, err := cmd.StdinPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			return func() { require.NoError(t, in.Close()); require.NoError(t, cmd.Wait()) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			before := leaks.Take(folder)
			end := leak(t, folder)
			require.ErrorContains(t, before.Wait(10*time.Millisecond), name)
			end()
			require.NoError(t, before.Wait(time.Minute))
		})
	}
}

// onLinux skips a test on other systems.
func onLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("counted on Linux only")
	}
}

// recorder is a testing.TB that collects failures and cleanups.
type recorder struct {
	testing.TB
	cleanups []func()
	failures int
}

func (r *recorder) Helper()               {}
func (r *recorder) Cleanup(f func())      { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Errorf(string, ...any) { r.failures++ }

// Check passes a test that leaves nothing behind, also if something takes a moment to end.
func TestCheck(t *testing.T) {
	r := &recorder{TB: t}
	leaks.Check(r, t.TempDir())
	begun, done := make(chan struct{}), make(chan struct{})
	go func() { close(begun); <-done }()
	<-begun
	close(done)
	for _, f := range r.cleanups {
		f()
	}
	require.Len(t, r.cleanups, 1)
	require.Zero(t, r.failures)
}

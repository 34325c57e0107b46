//go:build unix

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/executable"
)

// The sandbox checks ffmpeg's version before it reports that it is ready. If the system kills the check, the sandbox tries again, and never
// stops because of it.
func TestKilledVersionCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kill string // condition
		want int    // version checks
	}{
		"killed twice":  {"[ $(ls -d $0.asked.* | wc -l) -le 2 ]", 3},
		"killed always": {"true", 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, program := range []string{"ffmpeg", "ffprobe"} {
				script := "#!/bin/sh\n"
				if program == "ffmpeg" {
					script += "mkdir $0.asked.$$\nif " + c.kill + "; then kill -KILL $$; fi\n"
				}
				executable.Write(t, filepath.Join(dir, program), script+"echo "+program+" version 6.1\n")
			}
			p := serveProcess(t, []string{"PATH=" + dir + ":" + os.Getenv("PATH")})
			asked, err := filepath.Glob(filepath.Join(dir, "ffmpeg.asked.*")) // folders, because the program may not write files
			require.NoError(t, err)
			require.Len(t, asked, c.want, "the check must come before the greeting")
			time.Sleep(50 * time.Millisecond)
			status, _ := p.call("GET", "/v1/spaces", "sk_sandbox_core", nil)
			require.Equal(t, 200, status)
			require.NoError(t, p.signal(syscall.SIGTERM), p.stderr)
		})
	}
}

// A sandbox that has answered a request ends with exit code 0 after a signal, also while ffmpeg is still being checked. It leaves no ready file,
// and a capsule with what it recorded.
func TestSignalWhileFFmpegIsChecked(t *testing.T) {
	t.Parallel()
	dir := slowFFmpeg(t)
	for name, args := range map[string][]string{
		"serve":         {},
		"with capsule":  {"--capsule", filepath.Join(dir, "run.capsule.json")},
		"with its data": {"--data", filepath.Join(dir, "data")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ready := filepath.Join(t.TempDir(), "ready.json")
			stderr, err := signalAtFirstAnswer(t, dir, "serve", append([]string{"--ready-file", ready}, args...)...)
			require.NoError(t, err, stderr)
			require.Contains(t, stderr, "draining")
			require.NoFileExists(t, ready)
			if len(args) > 0 && args[0] == "--capsule" {
				require.FileExists(t, args[1])
			}
		})
	}
}

// The command of exec doesn't run if a signal comes while ffmpeg is still being checked.
func TestSignalBeforeExec(t *testing.T) {
	t.Parallel()
	ran := filepath.Join(t.TempDir(), "ran")
	stderr, err := signalAtFirstAnswer(t, slowFFmpeg(t), "exec", "--", "touch", ran)
	require.Equal(t, 130, exitCodeOf(t, err), stderr)
	require.NoFileExists(t, ran)
}

// slowFFmpeg returns a folder with an ffmpeg that takes longer than a test to print its version.
func slowFFmpeg(t *testing.T) string {
	dir := t.TempDir()
	for _, program := range []string{"ffmpeg", "ffprobe"} {
		executable.Write(t, filepath.Join(dir, program), "#!/bin/sh\nexec sleep 100\n")
	}
	return dir
}

// signalAtFirstAnswer runs a command of the program, and sends SIGTERM when its sandbox has answered a request. It returns what the program wrote to
// standard error, and how it ended.
func signalAtFirstAnswer(t *testing.T, ffmpegs, command string, args ...string) (stderr string, err error) {
	t.Helper()
	addr := "127.0.0.1:" + executable.Port(t)
	cmd := programCommand(append([]string{command, "--addr", addr, "--log", "off"}, args...)...)
	cmd.Env = append(cmd.Env, "PATH="+ffmpegs+":"+os.Getenv("PATH"))
	var written written
	cmd.Stderr = &written
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	require.Eventually(t, func() bool {
		resp, err := http.Get("http://" + addr + "/_soundstage/health")
		return err == nil && resp.Body.Close() == nil && resp.StatusCode == http.StatusOK
	}, time.Minute, 5*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-ended:
		return written.String(), err
	case <-time.After(time.Minute):
		t.Fatal("the program doesn't exit")
		return "", nil
	}
}

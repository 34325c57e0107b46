//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A command has its sandbox's address in the environment and uses the standard streams. Its sandbox stops afterwards.
func TestExec(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	temp := t.TempDir()
	ready := filepath.Join(temp, "ready.json")
	cmd := programCommand("exec", "--ready-file", ready, "--", "sh", "-c", `
		read line; echo "read $line"; echo oops >&2
		for name in URL CONTROL_URL SECRET SECRET_CORE SECRET_AUTOMATION SECRET_NONE SECRET_OTHER; do eval echo "$name=\$SOUNDSTAGE_$name"; done
		test -s "$1" && echo ready
		exit 7`, "sh", ready)
	cmd.Env = append(cmd.Env, "TMPDIR="+temp)
	cmd.Stdin = strings.NewReader("a line\n")
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	require.Equal(t, 7, exitCodeOf(t, cmd.Run()))
	require.Equal(t, "oops\n", errOut.String(), "only the command's own output")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Equal(t, "read a line", lines[0])
	url := strings.TrimPrefix(lines[1], "URL=")
	require.Equal(t, []string{
		"CONTROL_URL=" + url + "/_soundstage", "SECRET=sk_sandbox_platform", "SECRET_CORE=sk_sandbox_core", "SECRET_AUTOMATION=sk_sandbox_automation",
		"SECRET_NONE=sk_sandbox_none", "SECRET_OTHER=sk_sandbox_other", "ready",
	}, lines[2:])
	_, err := http.Get(url + "/_soundstage/health")
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	require.Empty(t, left, "no ready file and no temporary files")
}

// A proxy of the environment is not used for the sandbox. A command gets the token of the control API, even if it is a flag.
func TestExecEnvironment(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	for _, c := range []struct {
		given []string
		want  string // values of no_proxy and NO_PROXY
	}{
		{nil, "127.0.0.1 127.0.0.1"},
		{[]string{"NO_PROXY=example.com, .local"}, "example.com, .local,127.0.0.1 example.com, .local,127.0.0.1"},
		{[]string{"no_proxy=a", "NO_PROXY=b"}, "a,127.0.0.1 b,127.0.0.1"},
		{[]string{"no_proxy=*"}, "* *"},
	} {
		cmd := programCommand("exec", "--control-token", "sesame", "--", "sh", "-c", `echo "$no_proxy $NO_PROXY $SOUNDSTAGE_CONTROL_TOKEN"`)
		cmd.Env = append(append(cmd.Env, "http_proxy=http://127.0.0.1:9", "no_proxy=", "NO_PROXY="), c.given...)
		out, err := cmd.Output()
		require.NoError(t, err)
		require.Equal(t, c.want+" sesame\n", string(out))
	}
}

// The exit code is the command's, as a shell would return it. Errors before the command runs have a message.
func TestExecExitCodes(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	plain := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.WriteFile(plain, []byte("no program"), 0o600))
	garbage := filepath.Join(t.TempDir(), "garbage")
	executable.Write(t, garbage, "no program")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--", "true"}, 0, ""},
		{[]string{"true", "--help", "--clock"}, 0, ""}, // a command's own flags need no --
		{[]string{"--", "sh", "-c", "exit 42"}, 42, ""},
		{[]string{"--", "sh", "-c", "kill -TERM $$"}, 128 + 15, ""},
		{[]string{"--", "sh", "-c", "kill -KILL $$"}, 128 + 9, ""},
		{[]string{"--", "no-such-command"}, 127, `command "no-such-command" not found`},
		{[]string{"--", "/no/such/command"}, 127, "/no/such/command"},
		{[]string{"--", plain}, 126, "permission denied"},
		{[]string{"--", garbage}, 126, "exec format error"},
		{[]string{}, 2, "expected a command to run after --"},
		{[]string{"--clock", "fast", "--", "true"}, 2, `"fast" is not a clock mode`},
		{[]string{"--what", "--", "true"}, 2, "--what"},
		{[]string{"--ready-file", "/no/such/folder/f", "--", "true"}, 5, "--ready-file"},
	} {
		code, out, errOut := cli(t, append([]string{"exec"}, c.args...)...)
		require.Equal(t, c.code, code, "%v: %s", c.args, errOut)
		require.Empty(t, out)
		if c.says == "" {
			require.Empty(t, errOut)
		} else {
			require.Contains(t, errOut, c.says)
		}
	}
}

// Signals are forwarded to the command, and the sandbox answers until the command exits.
func TestExecForwardsSignals(t *testing.T) {
	t.Parallel()
	needTools(t, "curl")
	for sig, want := range map[syscall.Signal]int{syscall.SIGINT: 5, syscall.SIGTERM: 6} {
		cmd := programCommand("exec", "--", "sh", "-c", `trap 'curl -fsS "$SOUNDSTAGE_URL/_soundstage/health" >/dev/null && exit 5' INT
			trap 'exit 6' TERM
			echo waiting
			while :; do sleep 0.05; done`)
		out := startCommand(t, cmd)
		require.Equal(t, "waiting\n", readLine(t, out))
		require.NoError(t, cmd.Process.Signal(sig))
		require.Equal(t, want, exitCodeOf(t, cmd.Wait()), sig)
	}
}

// Processes that a command leaves running are terminated, by SIGKILL if necessary. If exec itself is killed, the command ends, too.
func TestExecLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it starts many programs")
	needFFmpeg(t)
	for _, left := range []string{"sleep 600", `sh -c 'trap "" TERM; while :; do sleep 600; done'`} {
		cmd := programCommand("exec", "--", "sh", "-c", left+` >/dev/null 2>&1 & echo $!`)
		out := startCommand(t, cmd)
		pid := readPID(t, out)
		require.Zero(t, exitCodeOf(t, cmd.Wait()))
		waitGone(t, pid)
	}
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Log("only Linux can terminate a process together with its parent")
		return
	}
	cmd := programCommand("exec", "--", "sh", "-c", "echo $$; exec sleep 600")
	out := startCommand(t, cmd)
	pid := readPID(t, out)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	waitGone(t, pid)
}

func startCommand(t *testing.T, cmd *exec.Cmd) *bufio.Reader {
	t.Helper()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return bufio.NewReader(out)
}

func readLine(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	line, err := r.ReadString('\n')
	if err != io.EOF {
		require.NoError(t, err)
	}
	return line
}

func readPID(t *testing.T, r *bufio.Reader) int {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(readLine(t, r)))
	require.NoError(t, err)
	return pid
}

// waitGone waits until a process has ended. A zombie that its new parent has not reaped yet has ended.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		if syscall.Kill(pid, 0) != nil {
			return true
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err == nil && strings.Contains(string(stat), ") Z ")
	}, time.Minute, 10*time.Millisecond, "process %d is still running", pid)
}

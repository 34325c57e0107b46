package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/executable"
)

// Each system has its way to open a browser. The URL is one argument and never passes through a shell.
func TestBrowserCommand(t *testing.T) {
	t.Parallel()
	const url = "http://127.0.0.1:8765/_soundstage/console/"
	for system, want := range map[string]string{
		"linux": "xdg-open " + url, "freebsd": "xdg-open " + url, "darwin": "open " + url, "windows": "rundll32 url.dll,FileProtocolHandler " + url,
	} {
		name, args := browserCommand(system, url)
		require.Equal(t, want, name+" "+strings.Join(args, " "))
		require.Equal(t, url, args[len(args)-1])
	}
}

// fakeBrowser returns a PATH on which the browser is a shell script, or is missing if the script is "".
func fakeBrowser(t *testing.T, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the browser is a shell script")
	}
	dir := t.TempDir()
	for _, tool := range []string{"ffmpeg", "ffprobe", "sh", "sleep"} {
		path, err := exec.LookPath(tool)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(dir, tool)))
	}
	if script != "" {
		name, _ := browserCommand(runtime.GOOS, "")
		executable.Write(t, filepath.Join(dir, name), "#!/bin/sh\n"+script)
	}
	return "PATH=" + dir
}

// serve --open opens the console when it can be opened, and names it in the greeting.
func TestServeOpen(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	out := filepath.Join(t.TempDir(), "opened")
	p := serveProcess(t, []string{fakeBrowser(t, `printf %s "$*" >"`+out+"\"\n")}, "--open")
	var opened []byte
	require.Eventually(t, func() bool {
		var err error
		opened, err = os.ReadFile(out)
		return err == nil && len(opened) > 0
	}, 20*time.Second, 10*time.Millisecond)
	require.Equal(t, p.url+"/_soundstage/console/", string(opened))
	require.Contains(t, p.greeting, "Open "+p.url+"/_soundstage/console/ in a browser")
	require.NoError(t, p.signal(syscall.SIGTERM))
	require.NotContains(t, p.stderr.String(), "browser")
}

// Without a browser, or with one that fails or hangs, the sandbox runs, says what to do, and stops as usual.
func TestServeOpenFails(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	for script, want := range map[string]string{
		"":                              "executable file not found",
		"echo no display >&2; exit 3\n": "exit status 3: no display",
		"exec sleep 5\n":                "",
	} {
		p := serveProcess(t, []string{fakeBrowser(t, script)}, "--open")
		resp, err := http.Get(p.url + "/_soundstage/health")
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, 200, resp.StatusCode)
		require.Eventually(t, func() bool { return strings.Contains(p.stderr.String(), want) }, 30*time.Second, 10*time.Millisecond, "%s", p.stderr)
		require.NoError(t, p.signal(syscall.SIGTERM))
		if want == "" {
			require.NotContains(t, p.stderr.String(), "browser")
			continue
		}
		require.Contains(t, p.stderr.String(), "No browser could be opened (")
		require.Contains(t, p.stderr.String(), want)
		require.Contains(t, p.stderr.String(), "Open "+p.url+"/_soundstage/console/ yourself.")
	}
}

// Without --open, no browser is started.
func TestServeDoesNotOpen(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	out := filepath.Join(t.TempDir(), "opened")
	p := serveProcess(t, []string{fakeBrowser(t, `echo >"`+out+"\"\n")})
	time.Sleep(300 * time.Millisecond)
	require.NoError(t, p.signal(syscall.SIGTERM))
	require.NoFileExists(t, out)
}

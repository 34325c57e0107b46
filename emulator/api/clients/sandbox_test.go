//go:build !race

// Package clients_test drives the sandbox with third-party clients: Go, TypeScript, and Python clients generated from the contracts, and a proxy that
// validates every exchange independently.
package clients_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/api/contract"
)

const (
	specFile = "../openapi.yaml"
	packages = "testdata/npm"
	media    = "../../../testdata/conversation.m4a"
	patience = 5 * time.Minute // for one program, including a cold build on a slow machine
)

// sandbox runs the sandbox on a real socket and a helper server, which serves media and receives webhooks.
type sandbox struct {
	url    string // of the sandbox
	helper string
}

func newSandbox(t *testing.T) sandbox {
	t.Helper()
	need(t, "ffmpeg")
	c, err := contract.Parse(api.Spec)
	require.NoError(t, err)
	s, err := emulator.New(t.Context(), emulator.Options{AllowPrivateURLs: true})
	require.NoError(t, err)
	front := httptest.NewServer(c.Check(t, s.Handler()))
	helper := http.NewServeMux()
	helper.HandleFunc("/talk.m4a", func(w http.ResponseWriter, req *http.Request) { http.ServeFile(w, req, media) })
	helper.HandleFunc("POST /hook", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(helper)
	t.Cleanup(func() {
		front.Close()
		require.NoError(t, s.Close())
		server.Close()
	})
	return sandbox{url: front.URL, helper: server.URL}
}

// environment returns the environment of a scenario that uses the server at base.
func (s sandbox) environment(t *testing.T, base string) []string {
	t.Helper()
	file, err := filepath.Abs(media)
	require.NoError(t, err)
	return append(os.Environ(),
		"BASE_URL="+base, "SECRET=sk_sandbox_platform", "CORE_SECRET=sk_sandbox_core",
		"MEDIA="+file, "MEDIA_URL="+s.helper+"/talk.m4a", "HOOK_URL="+s.helper+"/hook")
}

// need skips the test without a program, or fails it in CI.
func need(t *testing.T, program string) {
	t.Helper()
	_, err := exec.LookPath(program)
	needed(t, err == nil, program)
}

func needed(t *testing.T, there bool, what string) {
	t.Helper()
	switch {
	case there:
	case os.Getenv("CI") == "true":
		t.Fatalf("%s is missing: run `make setup`", what)
	default:
		t.Skipf("%s is missing: run `make setup`", what)
	}
}

// script returns the path of a script in an npm package.
func script(t *testing.T, path string) string {
	t.Helper()
	need(t, "node")
	path, err := filepath.Abs(filepath.Join(packages, "node_modules", path))
	require.NoError(t, err)
	_, err = os.Stat(path)
	needed(t, err == nil, "the npm package of "+path)
	return path
}

// program is a command to run in a folder. Without env, it inherits the test's environment.
type program struct {
	dir, name string
	args, env []string
}

// run returns the program's output and fails the test if the program fails.
func (p program) run(t *testing.T) string {
	t.Helper()
	out, err := p.output(t)
	require.NoError(t, err)
	return out
}

// output returns the program's output, which the error includes too.
func (p program) output(t *testing.T) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.name, p.args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %v: %w\n%s", p.name, p.args, err, out)
	}
	return string(out), err
}

// copyFiles copies the files of a folder, without subfolders.
func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Type().IsRegular() {
			b, err := os.ReadFile(filepath.Join(from, e.Name()))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(to, e.Name()), b, 0o600))
		}
	}
}

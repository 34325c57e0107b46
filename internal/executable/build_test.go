//go:build unix

package executable_test

import (
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A program is linked once for all who need it, and again when its source has changed.
func TestBuild(t *testing.T) {
	slow.Skip(t, "it links programs")
	dir := t.TempDir()
	tools, first, second := filepath.Join(dir, "tools.txt"), filepath.Join(dir, "first"), filepath.Join(dir, "second")
	executable.Write(t, filepath.Join(dir, "log.sh"), "#!/bin/sh\n[ \"$2\" = -V=full ] || basename \"$1\" >>"+tools+"\nexec \"$@\"\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/hello\n"), 0o600))
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-toolexec="+filepath.Join(dir, "log.sh"))
	links := func() int {
		ran, err := os.ReadFile(tools)
		require.NoError(t, err)
		return strings.Count(string(ran), "link\n")
	}
	for i := range 2 {
		says := rand.Text() // so that no earlier test has built it
		require.NoError(t, os.WriteFile("main.go", []byte("package main\n\nfunc main() { print(`"+says+"`) }\n"), 0o600))
		for _, file := range []string{first, second} {
			require.NoError(t, executable.Build(".", file))
			out, err := exec.Command(file).CombinedOutput()
			require.NoError(t, err)
			require.Equal(t, says, string(out))
			require.Equal(t, i+1, links())
		}
	}
}

// The error of a program that doesn't compile says why.
func TestBuildFails(t *testing.T) {
	slow.Skip(t, "it compiles a program")
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	require.NoError(t, os.WriteFile("go.mod", []byte("module example.com/broken\n"), 0o600))
	require.NoError(t, os.WriteFile("main.go", []byte("package main\n\nfunc main() { absent() }\n"), 0o600))
	require.ErrorContains(t, executable.Build(".", "program"), "undefined: absent")
}

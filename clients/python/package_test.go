//go:build unix

package python_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// python is Debian's, which has Debian's packages. There is no network, so tests don't install others.
const python = "/usr/bin/python3"

// The wheel of this platform can be installed, its guide leads from nothing to a green test, the examples of its README run, and its own
// tests pass against the installed package. All of it is strictly typed.
func TestPackage(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it builds and runs the program, and Python")
	needPython(t)
	dir, wheels := t.TempDir(), buildWheel(t)
	follow(t, dir, wheels, page(t, "../../docs/python.md"))
	t.Run("README", func(t *testing.T) {
		t.Parallel()
		follow(t, dir, wheels, page(t, "README.md"))
	})
	t.Run("tests", func(t *testing.T) {
		t.Parallel()
		cmd := exec.Command(filepath.Join(dir, ".venv/bin/python"), "-m", "pytest", "-q", "-p", "no:cacheprovider")
		cmd.Dir = "tests" // where Python doesn't find the package of the checkout
		run(t, environment(cmd, dir, wheels))
	})
	t.Run("types", func(t *testing.T) {
		t.Parallel()
		run(t, exec.Command(python, "-m", "mypy", "--cache-dir", filepath.Join(dir, ".mypy_cache"), "soundstage_sandbox", "tests"))
	})
}

// needPython skips on a laptop, and fails in CI, when Python or a package that the pages use is missing.
func needPython(t testing.TB) {
	t.Helper()
	programs := []*exec.Cmd{exec.Command("ffmpeg", "-version")}
	for _, module := range []string{"venv", "ensurepip", "pytest", "pytest_asyncio", "mypy"} {
		programs = append(programs, exec.Command(python, "-c", "import "+module))
	}
	for _, cmd := range programs {
		out, err := cmd.CombinedOutput()
		if err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("run `make setup`: %s: %v\n%s", cmd, err, out)
		}
		t.Skipf("run `make setup`: %s: %v", cmd, err)
	}
}

// buildWheel builds the wheel of this platform, and returns its folder.
func buildWheel(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	program, wheels := filepath.Join(dir, "soundstage"), filepath.Join(dir, "wheels")
	require.NoError(t, executable.Build("../../cmd/soundstage", program))
	run(t, exec.Command(python, "build", "--program", program, "--out", wheels, runtime.GOOS+"/"+runtime.GOARCH))
	require.NoError(t, os.Remove(program)) // the wheel has the only one
	return wheels
}

func page(t testing.TB, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(raw)
}

var (
	file  = regexp.MustCompile("(?m)^<!-- file: (.+) -->\n```[a-z]+\n((?s:.+?))^```$")
	shell = regexp.MustCompile("(?m)(<!-- not run: .+ -->\n)?^```sh\n((?s:.+?))^```$")
)

// prelude makes the commands of the pages work without a network: a new environment sees Debian's pytest, which pip then needn't download, and
// has its command.
const prelude = `set -eu
python3() {
	[ "$1 $2" = '-m venv' ] || return 1
	command ` + python + ` -m venv --system-site-packages "$3"
	printf '#!/bin/sh\nexec "%s" -m pytest "$@"\n' "$PWD/$3/bin/python" >"$3/bin/pytest"
	chmod +x "$3/bin/pytest"
}
`

// follow does what a page says: it writes the files, and runs the commands one after the other in one shell.
func follow(t testing.TB, dir, wheels, page string) {
	t.Helper()
	files := file.FindAllStringSubmatch(page, -1)
	require.NotEmpty(t, files)
	for _, f := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f[1]), []byte(f[2]), 0o600))
	}
	script := prelude
	for _, block := range shell.FindAllStringSubmatch(page, -1) {
		if block[1] == "" {
			script += block[2]
		}
	}
	cmd := environment(exec.Command("sh", "-c", script), dir, wheels)
	cmd.Dir = dir
	run(t, cmd)
}

// environment gives a command the environment of a user who has only the wheels, and whose shell has activated the virtual environment.
func environment(cmd *exec.Cmd, dir, wheels string) *exec.Cmd {
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "SOUNDSTAGE_") && !strings.HasPrefix(v, "PYTHON") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	path := filepath.Join(dir, ".venv/bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	cmd.Env = append(cmd.Env, "PATH="+path, "PIP_NO_INDEX=1", "PIP_FIND_LINKS="+wheels, "MYPY_CACHE_DIR="+filepath.Join(dir, ".mypy_cache"),
		"PYTHONDONTWRITEBYTECODE=1")
	return cmd
}

func run(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", fmt.Sprint(cmd.Args), out)
	if _, test := t.(*testing.T); test {
		t.Logf("%s", out)
	}
}

//go:build unix

package js_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// The package gives a file the type that the engine gives it.
func TestTypesOfFiles(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("src/world.ts")
	require.NoError(t, err)
	types := regexp.MustCompile(`'(\.\w+)': '([^']+)'`).FindAllStringSubmatch(string(source), -1)
	require.NotEmpty(t, types)
	for _, of := range types {
		require.Equal(t, media.TypeOf(nil, "a"+of[1]), of[2], of[1])
	}
}

// The packages are built, packed with the program of this platform, and installed into empty projects. The files test/*.test.mjs say what
// must hold there.
func TestPackages(t *testing.T) {
	slow.Skip(t, "it builds packages, and runs the tests of a user")
	for _, program := range []string{"node", "npm", "ffmpeg"} {
		_, err := exec.LookPath(program)
		needed(t, err == nil, program)
	}
	_, err := os.Stat("node_modules/typescript")
	needed(t, err == nil, "the npm packages of clients/js")
	cpu := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if cpu == "" {
		t.Skipf("there is no package for %s", runtime.GOARCH)
	}

	programs, packages := t.TempDir(), t.TempDir()
	program := filepath.Join(programs, runtime.GOOS, runtime.GOARCH, "soundstage")
	require.NoError(t, os.MkdirAll(filepath.Dir(program), 0o755))
	require.NoError(t, executable.Build("../../cmd/soundstage", program))
	run(t, nil, "node", "scripts/build.mjs")
	run(t, nil, "node", "scripts/pack.mjs", "--platforms", runtime.GOOS+"-"+cpu, "--quality", "4", "--programs", programs, "--out", packages)

	scripts, err := filepath.Glob("test/*.test.mjs")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".test.mjs"), func(t *testing.T) {
			t.Parallel()
			out := run(t, []string{"SOUNDSTAGE_BINARY=" + program, "SOUNDSTAGE_PACKAGES=" + packages}, "node", "--test", "--test-reporter=tap", "--test-timeout=900000", script)
			require.Contains(t, out, "# fail 0", out)
			require.NotContains(t, out, "# tests 0\n", out)
			require.Contains(t, out, "# skipped 0", out)
		})
	}
}

// needed skips on a laptop, and fails in CI, when something is missing.
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

// run returns the output of a command in this folder. Settings of a sandbox in the environment are not for it.
func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "SOUNDSTAGE_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %v\n%s", name, args, out)
	return string(out)
}

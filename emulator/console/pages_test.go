package console_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/browsertest"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// The pages do what a person does with them, in a real browser, against a real sandbox. The files web/test/*.test.mjs say what.
func TestPages(t *testing.T) {
	slow.Skip(t, "it starts a browser")
	need(t, "node")
	need(t, "ffmpeg")
	browser := browsertest.Path(t)
	_, err := os.Stat("web/node_modules/playwright-core")
	needed(t, err == nil, "the npm packages of emulator/console/web")

	program := filepath.Join(t.TempDir(), "soundstage")
	require.NoError(t, executable.Build("../../cmd/soundstage", program))

	scripts, err := filepath.Glob("web/test/*.test.mjs")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".test.mjs"), func(t *testing.T) {
			t.Parallel() // each has a browser and servers of its own
			run := exec.CommandContext(t.Context(), "node", "--test", "test/"+filepath.Base(script))
			run.Dir = "web"
			run.Env = append(os.Environ(), "SOUNDSTAGE_BIN="+program, "CHROMIUM="+browser)
			out, err := run.CombinedOutput()
			figures := bufio.NewScanner(strings.NewReader(string(out)))
			for figures.Scan() { // what the tests measured
				if line := figures.Text(); strings.HasPrefix(line, "# ") && strings.ContainsAny(line, ":") {
					t.Log(line)
				}
			}
			require.NoError(t, err, string(out))
			require.Contains(t, string(out), "# fail 0", string(out))
			require.NotContains(t, string(out), "# tests 0\n", string(out))
		})
	}
}

// The types are checked as strictly as the compiler can.
func TestTypes(t *testing.T) {
	slow.Skip(t, "it compiles the pages")
	need(t, "node")
	_, err := os.Stat("web/node_modules/svelte-check")
	needed(t, err == nil, "the npm packages of emulator/console/web")
	check := exec.CommandContext(t.Context(), "npm", "run", "--silent", "check")
	check.Dir = "web"
	out, err := check.CombinedOutput()
	require.NoError(t, err, string(out))
}

// No text of the sandbox becomes HTML: the source has no way for it.
func TestNoHTML(t *testing.T) {
	t.Parallel()
	require.NoError(t, filepath.WalkDir("web/src", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, way := range []string{"{@html", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"} {
			require.NotContains(t, string(source), way, path)
		}
		return nil
	}))
}

func need(t *testing.T, program string) {
	t.Helper()
	_, err := exec.LookPath(program)
	needed(t, err == nil, program)
}

// needed skips the test without something, or fails it in CI.
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

package slow_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// make test runs every test: each package with tests is on a list of .ci/packages, and those whose tests differ between the builds are on both
// or on that of the build without the race detector.
func TestPackagesMissNothing(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it lists every package twice")
	if runtime.GOOS == "windows" {
		t.Skip("make test runs scripts")
	}
	run := func(name string, args ...string) []string {
		cmd := exec.Command(name, args...)
		cmd.Dir = filepath.Join("..", "..")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		require.NoError(t, err)
		return strings.Fields(string(out))
	}
	plain, race := run(".ci/packages", "plain"), run(".ci/packages", "race")
	for _, tested := range run("go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "./...") {
		require.True(t, slices.Contains(plain, tested) || slices.Contains(race, tested), tested)
	}
	const module = "github.com/soundstage-dev/soundstage/"
	for _, both := range []string{"engine/sqlite", "engine", "emulator", "cmd/soundstage"} { // SQLite, and tests that the detector would slow
		require.Contains(t, plain, module+both)
		require.Contains(t, race, module+both)
	}
	for _, once := range []string{"engine/queue", "engine/cursor", "internal/turns"} {
		require.NotContains(t, plain, module+once)
	}
	for _, computing := range []string{"formats", "diarize", "emulator/conformance"} {
		require.Contains(t, plain, module+computing)
		require.NotContains(t, race, module+computing)
	}
}

package sqlite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// peer builds a program with the other driver. If that fails, for example without a C compiler, it skips the test unless
// CI=true.
func peer(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it compiles the other SQLite")
	}
	path := filepath.Join(t.TempDir(), "peer.exe")
	args := []string{"build", "-o", path}
	if sqlite.OtherCgo == "1" && os.Getenv("CI") == "true" {
		args = append(args, "-race") // make test compiles everything so, and nothing with cgo alone
	}
	cmd := exec.CommandContext(t.Context(), "go", append(args, "./testdata/peer")...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED="+sqlite.OtherCgo)
	out, err := cmd.CombinedOutput()
	if err != nil && os.Getenv("CI") != "true" {
		t.Skipf("the other driver can't be built: %v\n%s", err, out)
	}
	require.NoError(t, err, "%s", out)
	return path
}

// Each driver reads the files of the other, both closed ones and ones whose process ended without closing them.
func TestDriversShareFiles(t *testing.T) {
	t.Parallel()
	program := peer(t)
	run := func(verb, path string) {
		out, err := exec.CommandContext(t.Context(), program, verb, path).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	theirs := newPath(t)
	run("put", theirs)
	log, err := os.Stat(theirs + "-wal")
	require.NoError(t, err)
	require.Positive(t, log.Size(), "the rows are still in the log")
	for range 2 { // the first Close moves the rows from the log to the file
		s, err := sqlite.Open(t.Context(), theirs)
		require.NoError(t, err)
		require.NoError(t, enginetest.CheckSamples(t.Context(), s))
		require.NoError(t, s.Close())
		require.Equal(t, []string{"ok"}, queryFile(t, theirs, "PRAGMA integrity_check"))
	}

	ours := newPath(t)
	s, err := sqlite.Open(t.Context(), ours)
	require.NoError(t, err)
	require.NoError(t, enginetest.PutSamples(t.Context(), s))
	out, err := exec.CommandContext(t.Context(), program, "check", ours).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "in use by another process", "each driver respects the other's lock")
	require.NoError(t, s.Close())
	run("check", ours)
	run("put", ours)
	s, err = sqlite.Open(t.Context(), ours)
	require.NoError(t, err)
	require.NoError(t, enginetest.CheckSamples(t.Context(), s))
	require.NoError(t, s.Close())
}

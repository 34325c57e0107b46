package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/datafolder"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// verify and repair report damage, repair it, and have the exit codes of their help.
func TestVerifyAndRepair(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code, _, errOut := cli(t, "verify", dir)
	require.Equal(t, 3, code)
	require.Contains(t, errOut, "There is no database")
	code, _, errOut = cli(t, "keys", "create", "--data", dir, "--name", "named-in-the-test")
	require.Zero(t, code, errOut)
	code, out, errOut := cli(t, "verify", dir)
	require.Zero(t, code, errOut)
	require.Regexp(t, `^\d\d rows, 0 files: no damage\n$`, out)
	code, out, _ = cli(t, "repair", dir)
	require.Zero(t, code)
	require.Contains(t, out, "Nothing to repair.\n")

	path := filepath.Join(dir, "soundstage.db")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(b), "named-in-the-test", "named-in-the-tess")), 0o600))
	code, _, errOut = cli(t, "keys", "list", "--data", dir)
	require.Equal(t, 5, code)
	require.Contains(t, errOut, "soundstage repair DIR")
	code, out, errOut = cli(t, "verify", dir)
	require.Equal(t, 6, code)
	require.Contains(t, out, "database  keys ")
	require.Contains(t, out, "the checksum of the row is wrong")
	require.Contains(t, out, "1 problem\n")
	require.Contains(t, errOut, "soundstage repair")
	code, out, _ = cli(t, "verify", dir, "--json")
	require.Equal(t, 6, code)
	var report datafolder.Report
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.False(t, report.OK)
	require.Equal(t, "keys", report.Database[0].Table)

	code, out, errOut = cli(t, "repair", dir)
	require.Zero(t, code, errOut)
	require.Contains(t, out, "lost      keys ")
	require.Contains(t, out, "into a new database.\n")
	require.Contains(t, out, filepath.Join(dir, "damaged"))
	code, out, errOut = cli(t, "keys", "list", "--data", dir)
	require.Zero(t, code, errOut)
	require.NotContains(t, out, "named-in-the-tes")
	code, _, _ = cli(t, "verify", dir)
	require.Zero(t, code)
}

// A folder in use is refused.
func TestVerifyInUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(dir, "soundstage.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	for _, command := range []string{"verify", "repair"} {
		code, _, errOut := cli(t, command, dir)
		require.Equal(t, 4, code)
		require.Contains(t, errOut, "in use by another process")
	}
}

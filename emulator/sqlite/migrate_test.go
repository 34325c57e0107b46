//go:build cgo

package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/sqlite"
)

// Each script runs once, in order, and a file that has them all is left alone.
func TestMigrate(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	foreign(t, path, "VACUUM") // an empty database: version 0
	first, second := "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)", "UPDATE a SET x = x + 1; CREATE TABLE b (x) "
	for range 2 {
		require.NoError(t, sqlite.MigrateTo(path, first))
		require.Equal(t, []string{"1"}, ask(t, path, "SELECT x FROM a"))
	}
	for range 2 {
		require.NoError(t, sqlite.MigrateTo(path, first, second))
		require.Equal(t, []string{"2"}, ask(t, path, "SELECT x FROM a"))
	}
	require.Equal(t, []string{"2"}, ask(t, path, "PRAGMA user_version"))
	require.ErrorContains(t, sqlite.MigrateTo(path, first), "newer version")
}

// A script that fails leaves nothing of itself, and what the ones before it did stays.
func TestMigrateFails(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	foreign(t, path, "VACUUM")
	err := sqlite.MigrateTo(path, "CREATE TABLE a (x)", "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1)")
	require.ErrorContains(t, err, "migration 2")
	require.Equal(t, []string{"1"}, ask(t, path, "PRAGMA user_version"))
	require.Equal(t, []string{"a"}, ask(t, path, "SELECT name FROM sqlite_schema"))
}

//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// oldSpaces is the number of spaces in an old data folder: many, so that the migration takes a noticeable part of the start.
const oldSpaces = 3000

// A server that is killed at random moments of its start, while it migrates a data folder of schema version 2, leaves a folder that is
// between no two versions. The next start completes the migration.
func TestCampaignStart(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	needFFmpeg(t)
	scripts, err := filepath.Glob("../../engine/sqlite/migrations/*.sql")
	require.NoError(t, err)
	latest, rng := strconv.Itoa(len(scripts)), campaignRandom(1<<32)
	began := time.Now()
	p := serveProcess(t, nil, "--data", oldFolder(t, scripts[:2]))
	whole := time.Since(began)
	require.NoError(t, p.signal(syscall.SIGTERM))

	seen, n := map[string]int{}, campaignCycles(4)
	var restarts durations
	dir := ""
	for range n {
		if dir == "" {
			dir = oldFolder(t, scripts[:2])
		}
		killStart(t, dir, time.Duration(rng.Int64N(int64(whole))))
		version := requireWhole(t, dir)
		seen[version]++
		if version != latest && rng.IntN(3) > 0 {
			continue // the next cycle kills it again
		}
		began := time.Now()
		p := serveProcess(t, nil, "--data", dir)
		restarts.add(time.Since(began))
		status, _ := p.call("GET", "/v1/spaces", "sk_sandbox_platform", nil)
		require.Equal(t, 200, status)
		require.Error(t, p.signal(syscall.SIGKILL))
		require.Equal(t, latest, requireWhole(t, dir))
		require.NoError(t, os.RemoveAll(dir))
		dir = ""
	}
	t.Logf("%d cycles, schema versions after the kill: %v, next start: %v", n, seen, &restarts)
}

// oldFolder returns a data folder of an old version with spaces.
func oldFolder(t *testing.T, scripts []string) string {
	t.Helper()
	dir := t.TempDir()
	db, err := openDatabase(dir)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	run := func(query string) {
		_, err := db.ExecContext(t.Context(), query)
		require.NoError(t, err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		require.NoError(t, err)
		run(string(text))
	}
	run(fmt.Sprintf(`WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < %d)
		INSERT INTO spaces SELECT 'space-' || n, 'a', 'Old', 'en', 1, NULL, NULL, 0, 0, n FROM n`, oldSpaces))
	run(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", 0x534e4453, len(scripts)))
	return dir
}

// killStart starts the server and kills it after a time, whatever it has done by then.
func killStart(t *testing.T, dir string, after time.Duration) {
	t.Helper()
	cmd := programCommand("serve", "--addr", "127.0.0.1:0", "--log", "off", "--data", dir)
	require.NoError(t, cmd.Start())
	<-time.After(after)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
}

// requireWhole fails the test unless a data folder is undamaged and has the rows of its schema version, which it returns.
func requireWhole(t *testing.T, dir string) (version string) {
	t.Helper()
	require.Equal(t, []string{"ok"}, queryDatabase(t, dir, "PRAGMA integrity_check"))
	require.Equal(t, []string{strconv.Itoa(oldSpaces)}, queryDatabase(t, dir, "SELECT count(*) FROM spaces WHERE id LIKE 'space-%'"))
	version = queryDatabase(t, dir, "PRAGMA user_version")[0]
	tables := queryDatabase(t, dir, "SELECT count(*) FROM sqlite_schema WHERE name = 'prompts'")[0]
	if version == "2" {
		require.Equal(t, "0", tables)
		return version
	}
	prompts := queryDatabase(t, dir, "SELECT count(*) FROM prompts WHERE space_id LIKE 'space-%'")
	require.Equal(t, []string{strconv.Itoa(5 * oldSpaces)}, prompts)
	return version
}

package sqlite_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// On a full disk an Update fails with a retryable CodeNoSpace, and committed rows remain readable. Updates succeed again as
// soon as there is space, without reopening the store.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "size=6m")
	ballast := filepath.Join(disk, "ballast")
	require.NoError(t, os.WriteFile(ballast, make([]byte, 2<<20), 0o600))
	path := filepath.Join(disk, "x.db")
	s, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()

	acked := map[int]bool{}
	fill := func() (err error) {
		for i := len(acked); i < 100_000; i++ {
			if err = s.Update(t.Context(), func(tx engine.Tx) error { return putRows(tx, i) }); err != nil {
				return err
			}
			acked[i] = true
		}
		return nil
	}
	require.NoError(t, s.View(t.Context(), func(engine.ReadTx) error { return nil }))
	for round := range 2 {
		before := len(acked)
		for range 3 { // every further Update fails too
			err := fill()
			var e *engine.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, engine.CodeNoSpace, e.Code, "%v", err)
			require.True(t, e.Retryable)
			require.NotEmpty(t, e.Hint)
		}
		require.Greater(t, len(acked), before+50)
		requireCommitted(t, s, acked)
		require.Equal(t, []string{"ok"}, queryFile(t, path, "PRAGMA integrity_check"))
		if round == 0 {
			require.NoError(t, os.Truncate(ballast, 0)) // a child of another test may keep a removed file open
		}
	}
	require.NoError(t, syscall.Mount("", disk, "tmpfs", syscall.MS_REMOUNT, "size=16m"))
	update(t, s, func(tx engine.Tx) error { return putRows(tx, len(acked)) })
}

// Opening a new database on a full disk is CodeNoSpace.
func TestOpenOnFullDisk(t *testing.T) {
	t.Parallel()
	for _, option := range []string{"size=16k", "size=64k", "size=128k", "nr_inodes=2", "nr_inodes=3", "nr_inodes=4"} {
		disk := smallDisk(t, option)
		_, err := sqlite.Open(t.Context(), filepath.Join(disk, "x.db"))
		require.Equal(t, engine.CodeNoSpace, engine.CodeOf(err), "%s: %v", option, err)
	}
}

// smallDisk mounts a tmpfs for the test.
func smallDisk(t *testing.T, options string) string {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, options); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("can't mount a small disk: %v", err)
		}
		t.Skipf("can't mount a small disk: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	return disk
}

// On a full disk, Close is no error, because nothing is lost: the log stays next to the file.
func TestCloseOnFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "size=2m")
	path := filepath.Join(disk, "x.db")
	s, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	acked := map[int]bool{}
	for i := 0; err == nil; i++ {
		if err = s.Update(t.Context(), func(tx engine.Tx) error { return putRows(tx, i) }); err == nil {
			acked[i] = true
		}
	}
	require.Equal(t, engine.CodeNoSpace, engine.CodeOf(err))
	require.NoError(t, s.Close())
	s, err = sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	requireCommitted(t, s, acked)
	require.NoError(t, s.Close())
}

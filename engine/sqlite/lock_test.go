package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// A file can be open only once, under any of its names, until Close.
func TestLock(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	link := path
	if runtime.GOOS != "windows" { // which lets few users make links
		link = filepath.Join(t.TempDir(), "link.db")
		require.NoError(t, os.Symlink(path, link))
		_, err := sqlite.Open(t.Context(), link)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), "a dangling link")
	}
	s, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	for _, name := range []string{path, link} {
		_, err = sqlite.Open(t.Context(), name)
		var e *engine.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, engine.CodeConflict, e.Code)
		require.Contains(t, e.Msg, "in use by another process")
		require.Contains(t, e.Hint, "Stop the other process")
	}
	update(t, s, func(tx engine.Tx) error { return tx.PutUser(user("u")) }) // the rejected Opens have no effect
	require.NoError(t, s.Close())
	require.True(t, hasUser(t, openAt(t, link), "u"))
}

// A second process can't open the file until the first closes it.
func TestLockKeepsProcessesAway(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	require.True(t, s.Exclusive())
	out, err := child(t, "open", path).Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "conflict The database "+path+" is in use by another process.")
	require.NoError(t, s.Close())
	out, err = child(t, "open", path).Output()
	require.NoError(t, err)
	require.Equal(t, "opened\n", string(out))
}

// Open waits a moment for a lock that is about to be released, unless it is canceled.
func TestLockIsAwaited(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := sqlite.Open(ctx, path)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		closed := make(chan error)
		go func() {
			time.Sleep(50 * time.Millisecond)
			closed <- s.Close()
		}()
		next, err := sqlite.Open(t.Context(), path)
		require.NoError(t, err)
		require.NoError(t, <-closed)
		require.NoError(t, next.Close())
	})
}

// The lock survives the deletion of its file.
func TestLockSurvives(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("this system has no lock on the database itself")
	}
	path := newPath(t)
	s := openAt(t, path)
	require.NoError(t, os.Remove(path+".lock"))
	_, err := sqlite.Open(t.Context(), path)
	require.Equal(t, engine.CodeConflict, engine.CodeOf(err), "%v", err)
	out, err := child(t, "open", path).Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "conflict The database "+path+" is in use by another process.")
	update(t, s, func(tx engine.Tx) error { return tx.PutUser(user("u")) })
	require.NoError(t, s.Close())
	require.True(t, hasUser(t, openAt(t, path), "u"))
}

package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

func TestOpen(t *testing.T) {
	t.Parallel()

	// A durable store waits for the disk at each commit, on every connection; go-sqlite3's default doesn't.
	t.Run("durable", func(t *testing.T) {
		t.Parallel()
		s, err := sqlite.Open(t.Context(), newPath(t))
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		for name, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "0", "busy_timeout": "5000"} {
			writer, reader, err := s.Pragma(name)
			require.NoError(t, err)
			require.Equal(t, want, writer, name)
			require.Equal(t, want, reader, name)
		}
		writer, _, err := s.Pragma("fullfsync")
		require.NoError(t, err)
		require.Equal(t, "1", writer)
		writer, reader, err := s.Pragma("query_only")
		require.NoError(t, err)
		require.Equal(t, "0", writer)
		require.Equal(t, "1", reader)
	})

	// With NoSync a store doesn't wait for the disk.
	t.Run("no sync", func(t *testing.T) {
		t.Parallel()
		writer, _, err := open(t).Pragma("synchronous")
		require.NoError(t, err)
		require.Equal(t, "0", writer)
	})

	// Rows survive closing and reopening. Closing twice is no error.
	t.Run("reopen", func(t *testing.T) {
		t.Parallel()
		path := newPath(t)
		for i := range 3 {
			s, err := sqlite.Open(t.Context(), path)
			require.NoError(t, err)
			if i == 0 {
				update(t, s, func(tx engine.Tx) error { return tx.PutUser(user("u")) })
			}
			require.True(t, hasUser(t, s, "u"))
			require.NoError(t, s.Close())
			require.NoError(t, s.Close(), "closing twice")
			require.Equal(t, []string{fmt.Sprint(len(sqlite.Migrations()))}, queryFile(t, path, "PRAGMA user_version"))
		}
		require.NoFileExists(t, path+"-wal")
	})

	// Other users can't read the file, which has transcripts and hashes of secrets.
	t.Run("private", func(t *testing.T) {
		t.Parallel()
		if runtime.GOOS == "windows" {
			t.Skip("it has no such modes")
		}
		path := newPath(t)
		s := openAt(t, path)
		update(t, s, func(tx engine.Tx) error { return tx.PutUser(user("u")) })
		for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
			info, err := os.Stat(path + suffix)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), suffix)
		}
	})

	// Characters with a meaning in URIs are part of the file name.
	t.Run("odd names", func(t *testing.T) {
		t.Parallel()
		names := []string{"a b.db", "50%25.db", "no#1.db", "für-ß&=+;.db"}
		if runtime.GOOS != "windows" { // which has no such names
			names = append(names, "what?.db", "file:x.db")
		}
		for _, name := range names {
			path := filepath.Join(t.TempDir(), name)
			update(t, openAt(t, path), func(tx engine.Tx) error { return tx.PutUser(user("u")) })
			require.FileExists(t, path)
			require.FileExists(t, path+"-wal")
		}
	})

	// An ended context opens nothing.
	t.Run("canceled", func(t *testing.T) {
		t.Parallel()
		path := newPath(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := sqlite.Open(ctx, path)
		require.ErrorIs(t, err, context.Canceled)
		require.NoFileExists(t, path)
	})

	// After Close every call is CodeUnavailable.
	t.Run("closed", func(t *testing.T) {
		t.Parallel()
		s, err := sqlite.Open(t.Context(), newPath(t))
		require.NoError(t, err)
		require.NoError(t, s.Close())
		require.Equal(t, engine.CodeUnavailable, engine.CodeOf(s.View(t.Context(), nil)))
		require.Equal(t, engine.CodeUnavailable, engine.CodeOf(s.Update(t.Context(), nil)))
		_, err = s.Counts(t.Context())
		require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	})
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		claim   string
		prepare func(t *testing.T, path string)
		code    engine.Code
		msg     string
	}{
		{"a file of a newer version", func(t *testing.T, path string) {
			require.NoError(t, openAt(t, path).Close())
			execFile(t, path, "PRAGMA user_version = 99")
		}, engine.CodeConflict, "newer version"},
		{"another program's database", func(t *testing.T, path string) {
			execFile(t, path, "CREATE TABLE cookies (name TEXT)")
		}, engine.CodeInvalid, "another program"},
		{"another program's empty database", func(t *testing.T, path string) {
			execFile(t, path, "PRAGMA application_id = 7; VACUUM")
		}, engine.CodeInvalid, "another program"},
		{"a file that is not a database", func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, []byte("The quick brown fox jumps over the lazy dog, and over and over again."), 0o600))
		}, engine.CodeInvalid, "not a database"},
		{"a folder", func(t *testing.T, path string) {
			require.NoError(t, os.Mkdir(path, 0o700))
		}, engine.CodeInvalid, "can't be opened"},
		{"a missing folder", func(t *testing.T, path string) {
			require.NoError(t, os.Remove(filepath.Dir(path)))
		}, engine.CodeInvalid, "does not exist"},
	}
	for _, c := range cases {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "folder", "x.db")
			require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
			c.prepare(t, path)
			for range 2 { // the failed Open leaves no lock
				_, err := sqlite.Open(t.Context(), path)
				var e *engine.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, c.code, e.Code)
				require.Equal(t, "Open", e.Op)
				require.Contains(t, e.Msg, c.msg)
			}
		})
	}
}

// execFile creates or changes a database without the store.
func execFile(t *testing.T, path, script string) {
	db, err := sql.Open(sqlite.DriverName, "file:"+path)
	require.NoError(t, err)
	_, err = db.Exec(script)
	require.NoError(t, err)
	require.NoError(t, db.Close())
}

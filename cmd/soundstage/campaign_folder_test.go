package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// queryDatabase returns the first column of a query on a data folder that no server uses.
func queryDatabase(t *testing.T, dir, query string) (values []string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "soundstage.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var value string
		require.NoError(t, rows.Scan(&value))
		values = append(values, value)
	}
	require.NoError(t, rows.Err())
	return values
}

// requireSound fails the test unless a data folder that no server uses is undamaged and has the stored bytes of all promises.
func requireSound(t *testing.T, dir string, promises []*promise) {
	t.Helper()
	require.Equal(t, []string{"ok"}, queryDatabase(t, dir, "PRAGMA integrity_check"))
	require.Empty(t, queryDatabase(t, dir, "SELECT kind || ' ' || ref FROM jobs WHERE status = 'running'"))
	stored := storedSums(t, dir)
	for _, p := range promises {
		if p.bytes != "" && !stored[p.bytes] {
			t.Errorf("the upload with SHA-256 %s is lost", p.bytes)
		}
	}
}

// storedSums returns the SHA-256 of every blob, after checking that its record has the same.
func storedSums(t *testing.T, dir string) map[string]bool {
	t.Helper()
	blobs, err := files.New(filepath.Join(dir, "blobs"), files.Options{Exclusive: true})
	require.NoError(t, err)
	sums := map[string]bool{}
	require.NoError(t, blobs.List(t.Context(), "", func(info engine.BlobInfo) error {
		r, err := blobs.Open(t.Context(), info.Key, 0, -1)
		if err != nil {
			return err
		}
		defer func() { _ = r.Close() }()
		h := sha256.New()
		if _, err := io.Copy(h, r); err != nil {
			return err
		}
		require.Equal(t, info.SHA256[:], h.Sum(nil), info.Key)
		sums[hex.EncodeToString(h.Sum(nil))] = true
		return nil
	}))
	return sums
}

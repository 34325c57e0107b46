package main

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// openDatabase opens the database of a data folder with the driver that the program has: one of C with cgo, one of Go without it.
func openDatabase(dir string) (*sql.DB, error) {
	driver := "sqlite"
	if slices.Contains(sql.Drivers(), "sqlite3") {
		driver = "sqlite3"
	}
	return sql.Open(driver, filepath.Join(dir, "soundstage.db"))
}

// queryDatabase returns the first column of a query on a data folder that no server uses.
func queryDatabase(t *testing.T, dir, query string) (values []string) {
	t.Helper()
	db, err := openDatabase(dir)
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

// folder checks that a data folder that no server uses is undamaged and has the stored bytes of the promises.
func (v *verifier) folder(dir string, promises []*promise) {
	if result := queryDatabase(v.t, dir, "PRAGMA integrity_check"); result[0] != "ok" {
		v.failf("the database is damaged: %v", result)
	}
	if jobs := queryDatabase(v.t, dir, "SELECT kind || ' ' || ref FROM jobs WHERE status = 'running'"); len(jobs) > 0 {
		v.failf("jobs without a worker: %v", jobs)
	}
	stored := v.storedSums(dir)
	for _, p := range promises {
		if p.bytes != "" && !stored[p.bytes] {
			v.failf("the upload with SHA-256 %s is lost", p.bytes)
		}
	}
}

// storedSums returns the SHA-256 of every blob, and checks that its record has the same.
func (v *verifier) storedSums(dir string) map[string]bool {
	sums := map[string]bool{}
	blobs, err := files.New(filepath.Join(dir, "blobs"), files.Options{Exclusive: true})
	require.NoError(v.t, err)
	err = blobs.List(v.t.Context(), "", func(info engine.BlobInfo) error {
		r, err := blobs.Open(v.t.Context(), info.Key, 0, -1)
		if err != nil {
			return err
		}
		defer func() { _ = r.Close() }()
		h := sha256.New()
		if _, err := io.Copy(h, r); err != nil {
			return err
		}
		sum := h.Sum(nil)
		if !bytes.Equal(info.SHA256[:], sum) {
			v.failf("blob %s is damaged", info.Key)
		}
		sums[hex.EncodeToString(sum)] = true
		return nil
	})
	if err != nil {
		v.failf("blobs can't be read: %v", err)
	}
	return sums
}

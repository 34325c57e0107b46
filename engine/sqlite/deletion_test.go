package sqlite_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// A deleted recording leaves nothing in any table.
func TestDeletion(t *testing.T) {
	t.Parallel()
	enginetest.TestDeletion(t, func(t *testing.T) enginetest.Erasable {
		path := newPath(t)
		return enginetest.Erasable{Store: openAt(t, path), Blobs: memory.NewBlobs(), Contents: func() string { return contents(t, path) }}
	})
}

// contents returns every column of every row of every table but the log of events, which keeps the ids of what happened.
func contents(t testing.TB, path string) string {
	t.Helper()
	db, err := sql.Open(sqlite.DriverName, "file:"+path+"?mode=ro")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	var all strings.Builder
	for _, table := range queryFile(t, path, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'events'") {
		writeRows(t, db, table, &all)
	}
	return all.String()
}

// writeRows writes every column of every row of a table.
func writeRows(t testing.TB, db *sql.DB, table string, all *strings.Builder) {
	t.Helper()
	rows, err := db.Query("SELECT * FROM " + table)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		row := make([]any, len(columns))
		for i := range row {
			row[i] = &row[i]
		}
		require.NoError(t, rows.Scan(row...))
		for _, v := range row {
			if b, ok := v.([]byte); ok {
				v = string(b)
			}
			fmt.Fprint(all, v, "\n")
		}
	}
	require.NoError(t, rows.Err())
}

// Deleted texts are overwritten in the file, not only marked as free.
func TestDeletionOverwrites(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s, err := sqlite.OpenWith(t.Context(), path, sqlite.OpenOptions{NoSync: true})
	require.NoError(t, err)
	text := strings.Repeat("zanzibarium ", 5000)
	update(t, s, func(tx engine.Tx) error {
		return errors.Join(
			tx.PutRecording(engine.Recording{ID: "r", Title: text, TranscriptID: "t", TranscriptStatus: engine.TranscriptQueued}),
			tx.PutOutput(engine.Output{ID: "o", RecordingID: "r", Text: text, Status: engine.OutputCompleted}),
			tx.PutOutput(engine.Output{ID: "short", RecordingID: "r", Text: "zanzibarium", Status: engine.OutputCompleted}),
		)
	})
	require.NoError(t, s.Exec("PRAGMA wal_checkpoint(TRUNCATE)"))
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(before), "zanzibarium")
	update(t, s, func(tx engine.Tx) error {
		_, err := tx.DeleteRecordingRows("r", 100)
		return errors.Join(err, tx.DeleteRecording("r"))
	})
	require.NoError(t, s.Close())
	files, err := filepath.Glob(path + "*")
	require.NoError(t, err)
	for _, name := range files {
		after, err := os.ReadFile(name)
		require.NoError(t, err)
		require.False(t, strings.Contains(string(after), "zanzibarium"), name)
	}
}

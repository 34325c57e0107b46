package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// open opens a new store that is closed at the end of the test. It uses NoSync, because most tests don't need durability.
func open(t testing.TB) *sqlite.Store {
	t.Helper()
	return openAt(t, newPath(t))
}

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "soundstage.db") }

func openAt(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.OpenWith(t.Context(), path, sqlite.OpenOptions{NoSync: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// queryFile runs a query on its own connection to the file and returns the last column of each row.
func queryFile(t testing.TB, path, query string, args ...any) (answers []string) {
	t.Helper()
	db, err := sql.Open(sqlite.DriverName, "file:"+path+"?mode=rw")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.Query(query, args...)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		row := make([]any, len(columns))
		for i := range row {
			row[i] = &row[i]
		}
		require.NoError(t, rows.Scan(row...))
		answers = append(answers, fmt.Sprint(row[len(row)-1]))
	}
	require.NoError(t, rows.Err())
	return answers
}

func update(t testing.TB, s engine.Store, fn func(engine.Tx) error) {
	t.Helper()
	require.NoError(t, s.Update(t.Context(), fn))
}

func user(id string) engine.User {
	return engine.User{ID: engine.UserID(id), AccountID: "account", Name: "Name of " + id, CreatedAt: noon}
}

func hasUser(t testing.TB, s engine.Store, id string) bool {
	t.Helper()
	err := s.View(t.Context(), func(tx engine.ReadTx) error {
		_, err := tx.User(engine.UserID(id))
		return err
	})
	if engine.CodeOf(err) != engine.CodeNotFound {
		require.NoError(t, err)
	}
	return err == nil
}

func recording(space string, n int) engine.Recording {
	return engine.Recording{
		ID: engine.RecordingID(fmt.Sprintf("%s-%08d-4a5b-8c7d-0123456789ab", space, n)), SpaceID: engine.SpaceID(space), Number: n,
		UploadID: engine.UploadID(fmt.Sprintf("obj_%032d", n)), Title: fmt.Sprintf("Episode %d of the weekly show", n), Language: "en",
		TranscriptID: engine.TranscriptID(fmt.Sprintf("%08d-aaaa-4bbb-8ccc-0123456789ab", n)), TranscriptStatus: engine.TranscriptCompleted,
		Duration: time.Hour, BlobKey: fmt.Sprintf("uploads/obj_%032d/blob", n), Size: 1 << 20,
		CreatedAt: noon.Add(time.Duration(n/2) * time.Second), PublishedAt: &noon, // two rows per second, so that the id decides
	}
}

func job(id string) queue.Job {
	return queue.Job{
		ID: queue.ID(id), Key: "kind:" + id, Kind: "kind", Class: queue.ClassImport, Ref: "ref", Tenant: "tenant",
		Status: queue.Queued, RunAt: noon, CreatedAt: noon, UpdatedAt: noon,
	}
}

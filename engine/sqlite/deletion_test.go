package sqlite_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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

// contents returns every column of every row of every table.
func contents(t testing.TB, path string) string {
	t.Helper()
	db, err := sql.Open(sqlite.DriverName, "file:"+path+"?mode=ro")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	var all strings.Builder
	for _, table := range queryFile(t, path, "SELECT name FROM sqlite_schema WHERE type = 'table'") {
		rows, err := db.Query("SELECT * FROM " + table)
		require.NoError(t, err)
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
				fmt.Fprint(&all, v, "\n")
			}
		}
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
	}
	return all.String()
}

//go:build cgo

package sqlite_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/sqlite"
	"github.com/soundstage-dev/soundstage/engine"
)

// Every hot query finds its rows by an index and, but for the few rows of a queue, sorts nothing; statistics of the data
// change nothing about that.
func TestPlans(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := openAt(t, path)
	plans := func() map[string]string {
		return map[string]string{
			"a page of one space":    plan(t, path, sqlite.PageQuery(1), 5),
			"a page of five spaces":  plan(t, path, sqlite.PageQuery(5), 9),
			"a page of most spaces":  plan(t, path, sqlite.PageQuery(sqlite.MaxArms), 4+sqlite.MaxArms),
			"the next job":           plan(t, path, sqlite.DueJobQuery, 2),
			"when a job becomes due": plan(t, path, sqlite.NextJobAtQuery, 1),
			"when a lease ends":      plan(t, path, sqlite.NextLeaseQuery, 0),
		}
	}
	for name, p := range plans() {
		require.NotContains(t, p, "SCAN recordings", name)
		require.NotContains(t, p, "AUTOMATIC", name)
		if strings.Contains(name, "page") {
			require.NotContains(t, p, "TEMP B-TREE", name)
		}
	}
	require.Equal(t, "SEARCH recordings USING INDEX recordings_by_space (space_id=? AND (created_at,id)<(?,?))", plans()["a page of one space"])
	require.Contains(t, plans()["a page of five spaces"], "MERGE (UNION ALL)")
	require.Equal(t, "SEARCH jobs USING INDEX jobs_due (class=?)", plans()["when a job becomes due"])
	require.Contains(t, plans()["the next job"], "jobs_waiting (class=? AND tenant=? AND run_at<?)")
	require.Contains(t, plans()["the next job"], "jobs_waiting (class=? AND tenant>?)")
	require.Contains(t, plans()["the next job"], "jobs_running (class=? AND tenant=?)")

	before := plans()
	update(t, s, func(tx engine.Tx) error {
		for i := range 200 {
			if err := putThree(tx, i); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(t, s.Exec("ANALYZE"))
	require.Equal(t, before, plans())
}

// A page's statement is prepared once: with a plain parameter as its limit SQLite prepares it again each time.
func TestLimitIsNoParameter(t *testing.T) {
	t.Parallel()
	require.Contains(t, sqlite.PageQuery(1), "LIMIT ?4 + 0")
}

// plan returns how SQLite runs a query that has some parameters.
func plan(t *testing.T, path, query string, parameters int) string {
	return strings.Join(ask(t, path, "EXPLAIN QUERY PLAN "+query, make([]any, parameters)...), "\n")
}

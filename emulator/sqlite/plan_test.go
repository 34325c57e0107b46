//go:build cgo

package sqlite_test

import (
	"fmt"
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
			"a page of one space":    plan(t, path, sqlite.PageQuery(1)),
			"a page of five spaces":  plan(t, path, sqlite.PageQuery(5)),
			"a page of most spaces":  plan(t, path, sqlite.PageQuery(sqlite.MaxArms)),
			"the next job":           plan(t, path, sqlite.DueJobQuery),
			"when a job becomes due": plan(t, path, sqlite.NextJobAtQuery),
			"when a lease ends":      plan(t, path, sqlite.NextLeaseQuery),
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

func plan(t *testing.T, path, query string) string {
	args := make([]any, strings.Count(query, "?"))
	for n := len(args); ; n-- {
		if n == 0 || strings.Contains(query, fmt.Sprintf("?%d", n)) || strings.Count(query, "= ? ") == n {
			return strings.Join(ask(t, path, "EXPLAIN QUERY PLAN "+query, args[:n]...), "\n")
		}
	}
}

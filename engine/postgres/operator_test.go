package postgres_test

import (
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/postgres"
)

// Each list of the operators' console, with each filter, reads few of 10,000 rows, also those that select nothing, with both kinds of plans.
func TestOperatorListsReadLittle(t *testing.T) {
	t.Parallel()
	const rows, most = 10_000, 2_500
	url := database(t)
	operatorRows(t, url, rows)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	for name, sql := range map[string]string{"recordings": postgres.RecordingPage, "deliveries": postgres.DeliveryPage, "jobs": postgres.JobPage, "refs": postgres.JobPageOfRefs} {
		exec(t, conn, "PREPARE "+name+" AS "+sql)
	}
	for _, plan := range []string{"force_custom_plan", "force_generic_plan"} {
		exec(t, conn, "SET plan_cache_mode = "+plan)
		for _, list := range []string{
			"recordings(9e18, '', 101, NULL)", "recordings(9e18, '', 101, '{error}')", "recordings(1e7, 'x', 101, '{error,queued}')", "recordings(9e18, '', 101, '{queued}')",
			"deliveries(9e18, '', 101, NULL)", "deliveries(9e18, '', 101, '{failed}')", "deliveries(1e7, 'x', 101, '{pending}')",
			"jobs(9e18, '', 101, NULL, NULL, NULL)", "jobs(9e18, '', 101, '{failed}', NULL, NULL)", "jobs(9e18, '', 101, '{canceled}', NULL, NULL)",
			"jobs(9e18, '', 101, NULL, '{speaker.forget}', NULL)", "jobs(9e18, '', 101, '{failed}', '{webhook.deliver}', NULL)", "jobs(1e7, 'x', 101, NULL, NULL, '{deliver}')",
			"refs(9e18, '', 101, NULL, NULL, NULL, '{c4ca4238a0b923820dcc509a6f75849b,none}')", "refs(9e18, '', 101, '{failed}', NULL, NULL, '{c4ca4238a0b923820dcc509a6f75849b}')",
		} {
			var text []byte
			require.NoError(t, conn.QueryRow(t.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE "+list).Scan(&text), list)
			var plans []struct{ Plan node }
			require.NoError(t, json.Unmarshal(text, &plans))
			require.Less(t, plans[0].Plan.read(), float64(most), "%s, %s: %s", list, plan, text)
		}
	}
}

// node is a part of a plan that was run.
type node struct {
	Table   string  `json:"Relation Name"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Plans   []node
}

// read returns how many rows of tables were read.
func (n node) read() (rows float64) {
	if n.Table != "" {
		rows = (n.Rows + n.Removed) * n.Loops
	}
	for _, part := range n.Plans {
		rows += part.read()
	}
	return rows
}

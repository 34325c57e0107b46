package postgres_test

import (
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/postgres"
)

// A claim reads few pages while one tenant has 20,000 waiting jobs, although the planner's statistics say that no job waits.
func TestClaimReadsLittle(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, database(t))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(ctx)) }()
	for _, sql := range []string{
		"ALTER TABLE jobs SET (autovacuum_enabled = off)",
		"INSERT INTO jobs SELECT i::text, 'key' || i, 'kind', 'class', 'ref', 'tenant', 'completed', 1, 1, 1, '', 0, false, '', 1, 1, 0 FROM generate_series(1, 100) AS i",
		"ANALYZE jobs",
		`INSERT INTO jobs SELECT 'w' || i, 'wait' || i, 'kind', 'class', 'ref', CASE WHEN i > 100 THEN 'flood' ELSE 'tenant' || i END, 'queued', 0, 0, 1, '', 0, false, '', 1, 1, 0
			FROM generate_series(1, 20100) AS i`,
	} {
		_, err := conn.Exec(ctx, sql)
		require.NoError(t, err, sql)
	}
	var text []byte
	require.NoError(t, conn.QueryRow(ctx, "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "+postgres.ClaimJob, "class", "w5000", "owner", 1, 1).Scan(&text))
	var plans []struct {
		Plan struct {
			Pages int `json:"Shared Hit Blocks"`
			Read  int `json:"Shared Read Blocks"`
			Rows  int `json:"Actual Rows"`
		}
	}
	require.NoError(t, json.Unmarshal(text, &plans))
	require.Equal(t, 1, plans[0].Plan.Rows)
	require.Less(t, plans[0].Plan.Pages+plans[0].Plan.Read, 3000)
}

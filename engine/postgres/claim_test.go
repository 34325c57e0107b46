package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/internal/slow"
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

// A job that another worker claimed and set to retry in an hour isn't claimed before, also by a claim that chose it meanwhile.
func TestClaimWaitsForRetry(t *testing.T) {
	t.Parallel()
	slow.Short(t, "24 workers claim 600 jobs")
	s := open(t)
	now := s.Clock().Now().Add(-time.Second)
	require.NoError(t, s.Update(t.Context(), func(tx engine.Tx) error {
		for i := range 600 {
			id := fmt.Sprint(i)
			if err := tx.Enqueue(queue.Job{
				ID: queue.ID(id), Key: id, Kind: "kind", Class: "class", Ref: id, Tenant: fmt.Sprint("tenant", i%60), Status: queue.Queued,
				RunAt: now, CreatedAt: now, UpdatedAt: now,
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	var early atomic.Int32
	retry := func(ctx context.Context, worker int64) error {
		j, err := s.Claim(ctx, queue.Delivery{Class: "class", Number: worker}, "owner", time.Minute)
		if err != nil {
			return err
		}
		now := s.Clock().Now()
		if j.RunAt.After(now.Add(time.Minute)) {
			early.Add(1)
		}
		return s.Update(ctx, func(tx engine.Tx) error {
			j.Status, j.RunAt, j.LeaseOwner, j.LeaseUntil = queue.Retrying, now.Add(time.Hour), "", time.Time{}
			return tx.PutJob(j)
		})
	}
	var workers sync.WaitGroup
	var ends [24]error
	for w := range ends {
		workers.Go(func() {
			for ends[w] == nil {
				ends[w] = retry(t.Context(), int64(w))
			}
		})
	}
	workers.Wait()
	for _, err := range ends {
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(err), err)
	}
	require.Zero(t, early.Load())
}

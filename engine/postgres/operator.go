package postgres

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// listing returns the statement for a page of rows of all accounts after the position ($1, $2), at most $3. key is a column or an expression with
// few values, and the table has an index of (key, created_at, id). The statement skips through the index from value to value, and takes at most a
// page of each that filter selects. So it reads little, however rare the selected rows are. OFFSET 0 keeps the planner from reading the table
// when it expects a long page.
func listing(columns, table, key, filter string) string {
	return fmt.Sprintf(`WITH RECURSIVE groups (key) AS (
	SELECT (SELECT %[3]s FROM %[2]s ORDER BY %[3]s LIMIT 1)
	UNION ALL
	SELECT (SELECT %[3]s FROM %[2]s WHERE %[3]s > groups.key ORDER BY %[3]s LIMIT 1) FROM groups WHERE key IS NOT NULL
), page AS (
	SELECT found.id FROM groups CROSS JOIN LATERAL (
		SELECT created_at, id FROM %[2]s WHERE %[3]s = groups.key AND (created_at, id) < ($1, $2) ORDER BY created_at DESC, id DESC LIMIT $3) AS found
	WHERE groups.key IS NOT NULL AND %[4]s
	ORDER BY found.created_at DESC, found.id DESC LIMIT $3
)
SELECT found.* FROM page CROSS JOIN LATERAL (SELECT %[1]s FROM %[2]s WHERE id = page.id OFFSET 0) AS found
	ORDER BY found.created_at DESC, found.id DESC`, columns, table, key, filter)
}

// jobKey is what the index jobs_listed groups by. It is an expression, so that no other statement can use the index: claims read many pages
// when the planner takes an index that doesn't fit (migrations/0003_jobs.sql). Kinds and classes have no spaces.
const jobKey = "(kind || ' ' || class || ' ' || status)"

// A list that is NULL selects all.
var (
	recordingPage = listing(recordings.columns, "recordings", "transcript_status", "($4::text[] IS NULL OR key = ANY($4))")
	deliveryPage  = listing(deliveries.columns, "deliveries", "status", "($4::text[] IS NULL OR key = ANY($4))")
	jobPage       = listing(jobs.columns, "jobs", jobKey, `($4::text[] IS NULL OR split_part(key, ' ', 3) = ANY($4))
		AND ($5::text[] IS NULL OR split_part(key, ' ', 1) = ANY($5)) AND ($6::text[] IS NULL OR split_part(key, ' ', 2) = ANY($6))`)
)

// jobPageOfRefs reads all jobs of the rows $7, and of their parts. They are few.
var jobPageOfRefs = `SELECT found.* FROM (
	SELECT DISTINCT job.id FROM unnest($7::text[]) AS r CROSS JOIN LATERAL (
		SELECT id FROM jobs WHERE ref = r UNION ALL SELECT id FROM jobs WHERE ref >= r || '/' AND ref < r || '0' OFFSET 0) AS job
) AS page CROSS JOIN LATERAL (
	SELECT ` + jobs.columns + ` FROM jobs WHERE id = page.id AND (created_at, id) < ($1, $2)
		AND ($4::text[] IS NULL OR status = ANY($4)) AND ($5::text[] IS NULL OR kind = ANY($5)) AND ($6::text[] IS NULL OR class = ANY($6)) OFFSET 0
) AS found ORDER BY found.created_at DESC, found.id DESC LIMIT $3`

func (t *readTx) Jobs(q engine.JobQuery) ([]queue.Job, error) {
	args := append(pageArguments(q.After, q.Limit), listOf(input.Strings(q.Statuses)), listOf(input.Strings(q.Kinds)), listOf(input.Strings(q.Classes)))
	if len(q.Refs) > 0 {
		return all(t, jobs, jobPageOfRefs, append(args, listOf(q.Refs))...)
	}
	return all(t, jobs, jobPage, args...)
}

func (t *readTx) AllRecordings(q engine.StatusQuery[engine.TranscriptStatus]) ([]engine.Recording, error) {
	return all(t, recordings, recordingPage, append(pageArguments(q.After, q.Limit), listOf(input.Strings(q.Statuses)))...)
}

func (t *readTx) AllDeliveries(q engine.StatusQuery[engine.DeliveryStatus]) ([]engine.Delivery, error) {
	return all(t, deliveries, deliveryPage, append(pageArguments(q.After, q.Limit), listOf(input.Strings(q.Statuses)))...)
}

// pageArguments returns the arguments $1 to $3 of a page.
func pageArguments(after *cursor.Position, limit int) []any {
	if after == nil {
		after = &cursor.Position{CreatedAt: time.UnixMicro(math.MaxInt64)}
	}
	return []any{after.CreatedAt.UnixMicro(), after.ID, int64(max(0, limit))}
}

// listOf returns a list for ANY, or nil for an empty one. Texts that can't be stored become others that no row has.
func listOf(values []string) []string {
	if len(values) == 0 {
		return nil
	}
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = storable(v)
	}
	return list
}

// countsByStatus reads every row once.
const countsByStatus = `SELECT 'recordings', '', count(*) FROM recordings
	UNION ALL SELECT 'uploads', status, count(*) FROM uploads GROUP BY status
	UNION ALL SELECT 'imports', status, count(*) FROM imports GROUP BY status
	UNION ALL SELECT 'transcripts', status, count(*) FROM transcripts GROUP BY status
	UNION ALL SELECT 'outputs', status, count(*) FROM outputs GROUP BY status
	UNION ALL SELECT 'renders', status, count(*) FROM renders GROUP BY status
	UNION ALL SELECT 'chats', status, count(*) FROM chats GROUP BY status
	UNION ALL SELECT 'webhooks', '', count(*) FROM webhooks
	UNION ALL SELECT 'deliveries', status, count(*) FROM deliveries GROUP BY status
	UNION ALL SELECT 'jobs', status, count(*) FROM jobs GROUP BY status`

// CountsByStatus implements engine.StatusCountingStore.
func (s *Store) CountsByStatus(ctx context.Context) (map[string]map[string]int, error) {
	counts := map[string]map[string]int{}
	err := s.view(ctx, func(t *readTx) error {
		return t.query(func(r *rows.Row) {
			noun, status, n := r.Text(), r.Text(), r.Int()
			if counts[noun] == nil {
				counts[noun] = map[string]int{}
			}
			if n > 0 {
				counts[noun][status] = n
			}
		}, countsByStatus)
	})
	return counts, err
}

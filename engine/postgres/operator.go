package postgres

import (
	"context"
	"math"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// jobPage reads and sorts all jobs. It is meant for operators, so it has no index. A list that is NULL selects all.
var jobPage = "SELECT " + jobs.columns + ` FROM jobs WHERE (created_at, id) < ($1, $2)
	AND ($3::text[] IS NULL OR status = ANY($3)) AND ($4::text[] IS NULL OR kind = ANY($4)) AND ($5::text[] IS NULL OR class = ANY($5))
	AND ($6::text[] IS NULL OR EXISTS (SELECT FROM unnest($6::text[]) AS r WHERE ref = r OR (ref >= r || '/' AND ref < r || '0')))
	ORDER BY created_at DESC, id DESC LIMIT $7`

func (t *readTx) Jobs(q engine.JobQuery) ([]queue.Job, error) {
	args := []any{
		int64(math.MaxInt64), "", listOf(input.Strings(q.Statuses)), listOf(input.Strings(q.Kinds)), listOf(input.Strings(q.Classes)), listOf(q.Refs),
		int64(max(0, q.Limit)),
	}
	if q.After != nil {
		args[0], args[1] = q.After.CreatedAt.UnixMicro(), q.After.ID
	}
	return all(t, jobs, jobPage, args...)
}

// pageByStatus returns the statement for a page of rows of all accounts after the position ($1, $2), with one of the statuses $3, or any if it
// is NULL, and at most $4. Like jobPage, it has no index.
func pageByStatus(columns, table, status string) string {
	return "SELECT " + columns + " FROM " + table + " WHERE (created_at, id) < ($1, $2) AND ($3::text[] IS NULL OR " + status + ` = ANY($3))
	ORDER BY created_at DESC, id DESC LIMIT $4`
}

var (
	recordingsByStatus = pageByStatus(recordings.columns, "recordings", "transcript_status")
	deliveriesByStatus = pageByStatus(deliveries.columns, "deliveries", "status")
)

func (t *readTx) AllRecordings(q engine.StatusQuery[engine.TranscriptStatus]) ([]engine.Recording, error) {
	return all(t, recordings, recordingsByStatus, statusArguments(q)...)
}

func (t *readTx) AllDeliveries(q engine.StatusQuery[engine.DeliveryStatus]) ([]engine.Delivery, error) {
	return all(t, deliveries, deliveriesByStatus, statusArguments(q)...)
}

// statusArguments returns the arguments of pageByStatus.
func statusArguments[S ~string](q engine.StatusQuery[S]) []any {
	args := []any{int64(math.MaxInt64), "", listOf(input.Strings(q.Statuses)), int64(max(0, q.Limit))}
	if q.After != nil {
		args[0], args[1] = q.After.CreatedAt.UnixMicro(), q.After.ID
	}
	return args
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

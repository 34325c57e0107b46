package postgres

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// window is the length of a window of Take.
const window = time.Minute

// takeRequest begins a new window if the last one is over. The count goes on above the limit, so that one statement decides.
const takeRequest = `INSERT INTO request_counts AS c (key, window_end, requests) VALUES ($1, $2, 1)
	ON CONFLICT (key) DO UPDATE SET
		requests = CASE WHEN c.window_end <= $3 THEN 1 ELSE c.requests + 1 END,
		window_end = CASE WHEN c.window_end <= $3 THEN excluded.window_end ELSE c.window_end END
	RETURNING requests, window_end`

// Take counts a request of a key, exactly for all processes: ok says if it is within the limit of requests per minute, left how many remain
// until end, when the key's window ends. CodeUnavailable if the database can't be reached.
func (s *Store) Take(ctx context.Context, key string, limit int, now time.Time) (left int, end time.Time, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	var requests, micros int64
	last := now.Add(window).Truncate(time.Second)
	if err := s.pool.QueryRow(ctx, takeRequest, storable(key), last.UnixMicro(), now.UnixMicro()).Scan(&requests, &micros); err != nil {
		return 0, last, false, translate(err)
	}
	return max(0, limit-int(requests)), time.UnixMicro(micros).UTC(), requests <= int64(limit), nil
}

// statementTime is how long a statement without a transaction may take, on a connection that may drop everything.
const statementTime = 10 * time.Second

const agree = `INSERT INTO agreements AS a (name, value) VALUES ($1, $2)
	ON CONFLICT (name) DO UPDATE SET value = CASE WHEN $3 <> '' AND a.value = $3 THEN excluded.value ELSE a.value END
	RETURNING value`

// Agree stores value under name if nothing is stored, or if old is not "" and is what is stored. It returns what is stored then. It is atomic
// among all processes.
func (s *Store) Agree(ctx context.Context, name, old, value string) (stored string, err error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	err = s.pool.QueryRow(ctx, agree, name, value, old).Scan(&stored)
	return stored, translate(err)
}

// SetJobTrace keeps the trace context of a job that this transaction enqueues.
func (t *tx) SetJobTrace(id queue.ID, parent string) error {
	return t.exec("INSERT INTO job_traces (job_id, parent) VALUES ($1, $2) ON CONFLICT (job_id) DO UPDATE SET parent = excluded.parent", string(id), parent)
}

// JobTrace returns the trace context of a job, or "".
func (t *readTx) JobTrace(id queue.ID) (parent string, err error) {
	err = t.query(func(r *rows.Row) { parent = r.Text() }, "SELECT parent FROM job_traces WHERE job_id = $1", string(id))
	return parent, err
}

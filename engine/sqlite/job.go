package sqlite

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

var jobs = newTable(rows.Jobs)

// The conditions of the partial indexes of jobs. A query must repeat them literally to use the index.
const (
	live     = "status IN ('queued', 'running', 'retrying')"
	waiting  = "status IN ('queued', 'retrying')"
	running  = "status = 'running'"
	finished = "status IN ('completed', 'failed', 'canceled')"
)

// keepJobs is how long finished jobs are kept, counted back from the newest of them.
const keepJobs = 7 * 24 * time.Hour

var (
	jobByKey   = "SELECT " + jobs.columns + " FROM jobs INDEXED BY jobs_live WHERE key = ? AND " + live
	enqueueJob = jobs.insert + " ON CONFLICT (key) WHERE " + live + " DO NOTHING"
)

func (t *readTx) Job(id queue.ID) (queue.Job, error) {
	return one(t, jobs, jobs.get, string(id))
}

func (t *readTx) JobByKey(key string) (queue.Job, error) {
	return one(t, jobs, jobByKey, key)
}

// PutJob fails with CodeConflict if another unfinished job has the same Key.
func (t *tx) PutJob(j queue.Job) error {
	if err := write(t, jobs, jobs.put, j); err != nil || !j.Status.Terminal() {
		return err
	}
	if t.conn.jobsOver++; t.conn.jobsOver%oldJobsEvery == 0 {
		return t.exec(deleteOldJobs, keepJobs.Microseconds(), int64(2*oldJobsEvery))
	}
	return nil
}

func (t *tx) Enqueue(j queue.Job) error { return write(t, jobs, enqueueJob, j) }

// oldJobsEvery is after how many finished jobs old ones are deleted, twice as many at most.
const oldJobsEvery = 1000

// deleteOldJobs deletes jobs that ended more than keepJobs before the newest finished one, the oldest first, at most as many as given. It
// doesn't use the wall clock, because the engine may use another clock.
const deleteOldJobs = "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs INDEXED BY jobs_over WHERE " + finished +
	" AND updated_at < (SELECT max(updated_at) FROM jobs INDEXED BY jobs_over WHERE " + finished + ") - ? ORDER BY updated_at LIMIT ?)"

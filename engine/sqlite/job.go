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
func (t *tx) PutJob(j queue.Job) error { return write(t, jobs, jobs.put, j) }

func (t *tx) Enqueue(j queue.Job) error { return write(t, jobs, enqueueJob, j) }

// deleteOldJobs deletes jobs that ended more than keepJobs before the newest finished one. It doesn't use the wall clock,
// because the engine may use another clock.
func deleteOldJobs(c *conn) error {
	return c.exec("DELETE FROM jobs INDEXED BY jobs_over WHERE "+finished+
		" AND updated_at < (SELECT max(updated_at) FROM jobs INDEXED BY jobs_over WHERE "+finished+") - ?", keepJobs.Microseconds())
}

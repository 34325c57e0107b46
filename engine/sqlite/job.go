package sqlite

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

var jobs = newTable("jobs", "job", func(c *columns, v *queue.Job) {
	key(c, "id", &v.ID)
	text(c, "key", &v.Key)
	text(c, "kind", &v.Kind)
	text(c, "class", &v.Class)
	text(c, "ref", &v.Ref)
	text(c, "tenant", &v.Tenant)
	text(c, "status", &v.Status)
	number(c, "generation", &v.Generation)
	number(c, "attempt", &v.Attempt)
	moment(c, "run_at", &v.RunAt)
	text(c, "lease_owner", &v.LeaseOwner)
	moment(c, "lease_until", &v.LeaseUntil)
	flag(c, "cancel_requested", &v.CancelRequested)
	text(c, "last_error", &v.LastError)
	moment(c, "created_at", &v.CreatedAt)
	moment(c, "updated_at", &v.UpdatedAt)
})

// The conditions of the indexes of jobs. A query must repeat them letter by letter for its index to be used.
const (
	live    = "status IN ('queued', 'running', 'retrying')"
	waiting = "status IN ('queued', 'retrying')"
	running = "status = 'running'"
	over    = "status IN ('completed', 'failed', 'canceled')"
)

// keepJobs is how long jobs that are over are kept, counted back from the newest of them.
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

// PutJob fails with CodeConflict when another job of the same Key isn't over either.
func (t *tx) PutJob(j queue.Job) error { return write(t, jobs, jobs.put, j) }

func (t *tx) Enqueue(j queue.Job) error { return write(t, jobs, enqueueJob, j) }

// deleteOldJobs removes the jobs that ended long ago. It asks no clock: the engine's need not be this machine's.
func deleteOldJobs(c *conn) error {
	return c.exec("DELETE FROM jobs INDEXED BY jobs_over WHERE "+over+
		" AND updated_at < (SELECT max(updated_at) FROM jobs INDEXED BY jobs_over WHERE "+over+") - ?", keepJobs.Microseconds())
}

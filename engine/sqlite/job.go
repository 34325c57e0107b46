package sqlite

import (
	"database/sql/driver"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const jobColumns = "id, key, kind, class, ref, tenant, status, generation, attempt, run_at, lease_owner, lease_until, cancel_requested, last_error, created_at, updated_at"

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
	putJob     = upsert("jobs", jobColumns)
	enqueueJob = insert("jobs", jobColumns) + " ON CONFLICT (key) WHERE " + live + " DO NOTHING"
)

func (t *readTx) Job(id engine.JobID) (engine.Job, error) {
	return one(t, "job", scanJob, "SELECT "+jobColumns+" FROM jobs WHERE id = ?", string(id))
}

func (t *readTx) JobByKey(key string) (engine.Job, error) {
	return one(t, "job", scanJob, "SELECT "+jobColumns+" FROM jobs INDEXED BY jobs_live WHERE key = ? AND "+live, key)
}

// PutJob fails with CodeConflict when another job of the same Key isn't over either.
func (t *tx) PutJob(j engine.Job) error { return t.exec(putJob, jobRow(j)...) }

func (t *tx) Enqueue(j engine.Job) error { return t.exec(enqueueJob, jobRow(j)...) }

func jobRow(j engine.Job) []driver.Value {
	return []driver.Value{
		string(j.ID), j.Key, string(j.Kind), string(j.Class), j.Ref, j.Tenant, string(j.Status), int64(j.Generation), int64(j.Attempt),
		micros(j.RunAt), j.LeaseOwner, micros(j.LeaseUntil), j.CancelRequested, j.LastError, micros(j.CreatedAt), micros(j.UpdatedAt),
	}
}

func scanJob(r *row) engine.Job {
	return engine.Job{
		ID: engine.JobID(r.text()), Key: r.text(), Kind: engine.JobKind(r.text()), Class: engine.JobClass(r.text()), Ref: r.text(),
		Tenant: r.text(), Status: engine.JobStatus(r.text()), Generation: r.int(), Attempt: r.int(), RunAt: r.time(), LeaseOwner: r.text(),
		LeaseUntil: r.time(), CancelRequested: r.bool(), LastError: r.text(), CreatedAt: r.time(), UpdatedAt: r.time(),
	}
}

// deleteOldJobs removes the jobs that ended long ago. It asks no clock: the engine's need not be this machine's.
func deleteOldJobs(c *conn) error {
	return c.exec("DELETE FROM jobs INDEXED BY jobs_over WHERE "+over+
		" AND updated_at < (SELECT max(updated_at) FROM jobs INDEXED BY jobs_over WHERE "+over+") - ?", keepJobs.Microseconds())
}

package postgres

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

var jobs = newTable(rows.Jobs)

// The conditions of the partial indexes of jobs.
const (
	live     = "status IN ('queued', 'running', 'retrying')"
	waiting  = "status IN ('queued', 'retrying')"
	running  = "status = 'running'"
	finished = "status IN ('completed', 'failed', 'canceled')"
)

var (
	jobByKey   = "SELECT " + jobs.columns + " FROM jobs WHERE key = $1 AND " + live
	enqueueJob = jobs.insert + " ON CONFLICT (key) WHERE " + live + " DO NOTHING"
	// jobsOfRef reads the jobs of a row, and those whose ref begins with the row's id and a slash; '0' is the character after '/'.
	jobsOfRef   = "SELECT " + jobs.columns + " FROM jobs WHERE ref = $1 OR (ref > $1 || '/' AND ref < $1 || '0') ORDER BY id"
	leasedJobs  = "SELECT " + jobs.columns + " FROM jobs WHERE " + running + " ORDER BY lease_until, id"
	waitingJobs = "SELECT " + jobs.columns + " FROM jobs WHERE " + waiting + " ORDER BY run_at, id LIMIT $1"
)

func (t *readTx) Job(id queue.ID) (queue.Job, error) { return one(t, jobs, jobs.get, string(id)) }

func (t *readTx) JobByKey(key string) (queue.Job, error) { return one(t, jobs, jobByKey, key) }

func (t *readTx) JobsOf(ref string) ([]queue.Job, error) { return all(t, jobs, jobsOfRef, ref) }

func (t *readTx) LeasedJobs() ([]queue.Job, error) { return all(t, jobs, leasedJobs) }

// WaitingJobs reads and sorts all waiting jobs. It is meant for operators, not for frequent use.
func (t *readTx) WaitingJobs(limit int) ([]queue.Job, error) {
	return all(t, jobs, waitingJobs, int64(max(0, limit)))
}

// PutJob fails with CodeConflict if another unfinished job has the same Key.
func (t *tx) PutJob(j queue.Job) error {
	if j.Status == queue.Running && j.CancelRequested {
		t.canceled = append(t.canceled, j.ID)
	}
	return t.putJob(jobs.put, j)
}

func (t *tx) Enqueue(j queue.Job) error { return t.putJob(enqueueJob, j) }

func (t *tx) putJob(sql string, j queue.Job) error {
	s, err := writeLater(t, jobs, sql, j)
	if j.Status == queue.Queued || j.Status == queue.Retrying {
		t.due = append(t.due, due{j, s})
	}
	return err
}

func (t *tx) DeleteJob(id queue.ID) error {
	return t.exec("DELETE FROM jobs WHERE id = $1", string(id))
}

// keepJobs is how long finished jobs are kept.
const keepJobs = 7 * 24 * time.Hour

// oldJobsBatch limits how many jobs one statement deletes, so that it ends long before its timeout.
const oldJobsBatch = 10_000

const deleteOldJobs = "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE " + finished + " AND updated_at < $1 ORDER BY updated_at LIMIT $2)"

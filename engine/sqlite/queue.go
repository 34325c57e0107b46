package sqlite

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

const (
	nextJobAt = "SELECT min(run_at) FROM jobs INDEXED BY jobs_due WHERE class = ? AND " + waiting
	nextLease = "SELECT min(lease_until) FROM jobs INDEXED BY jobs_running WHERE " + running
)

// dueJob steps through the index from one tenant that has a waiting job to the next, however many jobs each has, takes
// the first job of each, and of these the one whose tenant has the least running.
var dueJob = `WITH RECURSIVE tenants (tenant) AS (
	SELECT min(tenant) FROM jobs INDEXED BY jobs_waiting WHERE class = ?1 AND ` + waiting + `
	UNION ALL
	SELECT (SELECT min(tenant) FROM jobs INDEXED BY jobs_waiting WHERE class = ?1 AND tenant > tenants.tenant AND ` + waiting + `)
		FROM tenants WHERE tenant IS NOT NULL
), first (job, busy) AS (
	SELECT
		(SELECT id FROM jobs INDEXED BY jobs_waiting
			WHERE class = ?1 AND tenant = tenants.tenant AND run_at <= ?2 AND ` + waiting + ` ORDER BY run_at, id LIMIT 1),
		(SELECT count(*) FROM jobs INDEXED BY jobs_running WHERE class = ?1 AND tenant = tenants.tenant AND ` + running + `)
		FROM tenants WHERE tenant IS NOT NULL
)
SELECT ` + jobs.columns + ` FROM first CROSS JOIN jobs ON id = job ORDER BY busy, run_at, id LIMIT 1`

var leasedJobs = "SELECT " + jobs.columns + " FROM jobs INDEXED BY jobs_running WHERE " + running + " ORDER BY lease_until, id"

// DueJob takes time by the number of tenants that have waiting jobs, not by the number of jobs.
func (t *tx) DueJob(class queue.Class, now time.Time) (queue.Job, error) {
	return one(&t.readTx, jobs, dueJob, string(class), micros(now))
}

func (t *readTx) NextJobAt(classes []queue.Class) (at time.Time, ok bool, err error) {
	earliest := func(r *row) {
		if r.null() {
			return
		}
		if next := r.time(); !ok || next.Before(at) {
			at, ok = next, true
		}
	}
	if err := t.query(earliest, nextLease); err != nil {
		return time.Time{}, false, err
	}
	for _, class := range classes {
		if err := t.query(earliest, nextJobAt, string(class)); err != nil {
			return time.Time{}, false, err
		}
	}
	return at, ok, nil
}

func (t *readTx) LeasedJobs() ([]queue.Job, error) {
	return all(t, jobs, leasedJobs)
}

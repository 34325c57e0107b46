package sqlite

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

const (
	nextJobAt = "SELECT min(run_at) FROM jobs INDEXED BY jobs_due WHERE class = ? AND " + waiting
	nextLease = "SELECT min(lease_until) FROM jobs INDEXED BY jobs_running WHERE " + running
)

// dueJob skips through the index from tenant to tenant and finds the first waiting job of each. Of these it selects the job
// whose tenant has the fewest running jobs.
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

// DueJob takes time proportional to the number of tenants with waiting jobs, not to the number of jobs.
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

package sqlite

import (
	"context"
	"database/sql/driver"
	"time"

	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

const (
	nextJobAt = "SELECT min(run_at) FROM jobs INDEXED BY jobs_due WHERE class = ? AND " + waiting
	nextLease = "SELECT min(lease_until) FROM jobs INDEXED BY jobs_running WHERE " + running
)

// tenants skips through the index from tenant to tenant with waiting jobs. Its last row is NULL.
var tenants = `WITH RECURSIVE tenants (tenant) AS (
	SELECT min(tenant) FROM jobs INDEXED BY jobs_waiting WHERE class = ?1 AND ` + waiting + `
	UNION ALL
	SELECT (SELECT min(tenant) FROM jobs INDEXED BY jobs_waiting WHERE class = ?1 AND tenant > tenants.tenant AND ` + waiting + `)
		FROM tenants WHERE tenant IS NOT NULL
)`

// dueJob finds the first waiting job of each tenant but ?3, which may be NULL. Of these it selects the job whose tenant has the
// fewest running jobs.
var dueJob = tenants + `, first (job, busy) AS (
	SELECT
		(SELECT id FROM jobs INDEXED BY jobs_waiting
			WHERE class = ?1 AND tenant = tenants.tenant AND run_at <= ?2 AND ` + waiting + ` ORDER BY run_at, id LIMIT 1),
		(SELECT count(*) FROM jobs INDEXED BY jobs_running WHERE class = ?1 AND tenant = tenants.tenant AND ` + running + `)
		FROM tenants WHERE tenant IS NOT NULL AND tenant IS NOT ?3
)
SELECT ` + jobs.columns + ` FROM first CROSS JOIN jobs ON id = job ORDER BY busy, run_at, id LIMIT 1`

// nextJobOfOthers is nextJobAt without the jobs of the tenant ?2.
var nextJobOfOthers = tenants + `
SELECT min((SELECT min(run_at) FROM jobs INDEXED BY jobs_waiting WHERE class = ?1 AND tenant = tenants.tenant AND ` + waiting + `))
	FROM tenants WHERE tenant IS NOT NULL AND tenant <> ?2`

var leasedJobs = "SELECT " + jobs.columns + " FROM jobs INDEXED BY jobs_running WHERE " + running + " ORDER BY lease_until, id"

// DueJob takes time proportional to the number of tenants with waiting jobs, not to the number of jobs.
func (t *tx) DueJob(class queue.Class, now time.Time, skip map[queue.Class]string) (queue.Job, error) {
	var without driver.Value
	if tenant, ok := skip[class]; ok {
		without = tenant
	}
	return one(&t.readTx, jobs, dueJob, string(class), rows.Micros(now), without)
}

func (t *readTx) NextJobAt(classes []queue.Class, skip map[queue.Class]string) (at time.Time, ok bool, err error) {
	earliest := func(r *row) {
		if r.Null() {
			return
		}
		if next := r.Time(); !ok || next.Before(at) {
			at, ok = next, true
		}
	}
	if err := t.query(earliest, nextLease); err != nil {
		return time.Time{}, false, err
	}
	for _, class := range classes {
		query, args := nextJobAt, []driver.Value{string(class)}
		if tenant, ok := skip[class]; ok {
			query, args = nextJobOfOthers, append(args, tenant)
		}
		if err := t.query(earliest, query, args...); err != nil {
			return time.Time{}, false, err
		}
	}
	return at, ok, nil
}

func (t *readTx) LeasedJobs() ([]queue.Job, error) {
	return all(t, jobs, leasedJobs)
}

// lastJob uses the partial indexes of finished and of unfinished jobs.
const lastJob = "SELECT max(at) FROM (SELECT max(updated_at) AS at FROM jobs INDEXED BY jobs_over WHERE " + finished + ` UNION ALL
	SELECT max(updated_at) FROM jobs INDEXED BY jobs_live WHERE ` + live + ")"

// LastJob returns when the newest change of a job was written, or the zero time without jobs.
func (s *Store) LastJob(ctx context.Context) (at time.Time, err error) {
	err = s.view(ctx, func(t *readTx) error {
		return t.query(func(r *row) {
			if !r.Null() {
				at = r.Time()
			}
		}, lastJob)
	})
	return at, err
}

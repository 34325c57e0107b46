package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

const nextLease = "SELECT min(lease_until) FROM jobs WHERE " + running

// byWaiting orders jobs as their index jobs_waiting does. A query for the first of them reads one entry of the index, whatever the planner
// expects. Statistics of a queue are often wrong: they may say that no job waits.
const byWaiting = " ORDER BY class, jobs.tenant, run_at, jobs.id LIMIT 1"

// tenants skips through the index from tenant to tenant with waiting jobs of the class $1. Its last row is NULL.
const tenants = `WITH RECURSIVE tenants (tenant) AS (
	SELECT (SELECT tenant FROM jobs WHERE class = $1 AND ` + waiting + byWaiting + `)
	UNION ALL
	SELECT (SELECT jobs.tenant FROM jobs WHERE class = $1 AND jobs.tenant > tenants.tenant AND ` + waiting + byWaiting + `)
		FROM tenants WHERE tenant IS NOT NULL
)`

// dueJob finds the first job of each tenant but $3, which may be NULL, that waits at $2. Of these it selects the job whose tenant has the
// fewest running jobs.
var dueJob = tenants + `, first AS (
	SELECT jobs.id AS first_id, (SELECT count(*) FROM jobs WHERE class = $1 AND tenant = tenants.tenant AND ` + running + `) AS busy
		FROM tenants CROSS JOIN LATERAL (SELECT id FROM jobs
			WHERE class = $1 AND jobs.tenant = tenants.tenant AND run_at <= $2 AND ` + waiting + byWaiting + `) AS jobs
		WHERE tenants.tenant IS NOT NULL AND tenants.tenant IS DISTINCT FROM $3
)
SELECT ` + jobs.columns + ` FROM first JOIN jobs ON id = first_id ORDER BY busy, run_at, id LIMIT 1`

// nextJobAt is when the first waiting job of the class $1 is due, without those of the tenant $2, which may be NULL.
const nextJobAt = tenants + `
SELECT min((SELECT run_at FROM jobs WHERE class = $1 AND jobs.tenant = tenants.tenant AND ` + waiting + byWaiting + `))
	FROM tenants WHERE tenant IS NOT NULL AND tenant IS DISTINCT FROM $2`

// DueJob takes time proportional to the number of tenants with waiting jobs, not to the number of jobs. An engine on this store claims jobs
// with Claim instead.
func (t *tx) DueJob(class queue.Class, now time.Time, skip map[queue.Class]string) (queue.Job, error) {
	return one(&t.readTx, jobs, dueJob, string(class), rows.Micros(now), skipped(skip, class))
}

// skipped returns the tenant whose jobs of a class are skipped, or NULL.
func skipped(skip map[queue.Class]string, class queue.Class) *string {
	if tenant, ok := skip[class]; ok {
		return &tenant
	}
	return nil
}

func (t *readTx) NextJobAt(classes []queue.Class, skip map[queue.Class]string) (at time.Time, ok bool, err error) {
	earliest := func(r *rows.Row) {
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
		if err := t.query(earliest, nextJobAt, string(class), skipped(skip, class)); err != nil {
			return time.Time{}, false, err
		}
	}
	return at, ok, nil
}

// maxTenants is how many tenants a claim compares, beginning with that of the delivered job. So its time is limited.
const maxTenants = 1000

// microsNow is the server's time as it is stored. It is that of the transaction's start, so that an index can be searched for it.
const microsNow = "(extract(epoch FROM now()) * 1000000)::bigint"

// claimJob claims the fairest job of the class $1 that is due: one whose tenant has the fewest running jobs in the class, the delivered job
// $2 first, then the earliest. It visits tenants in a circle that begins with the tenant of the delivered job, and stops where it began.
// OFFSET 0 keeps the planner from reading a tenant once for each place that names it. UPDATE checks again what another process may have
// changed since the choice: PostgreSQL compares a row that it waited for with the conditions of UPDATE only.
var claimJob = fmt.Sprintf(`WITH RECURSIVE named AS MATERIALIZED (
	SELECT id, class, tenant, run_at, status FROM jobs WHERE id = $2
), delivered AS (
	SELECT id, tenant, run_at FROM named WHERE class = $1 AND run_at <= %[1]s AND %[2]s
), begin AS (
	SELECT coalesce((SELECT tenant FROM delivered), (SELECT tenant FROM jobs WHERE class = $1 AND %[2]s%[7]s)) AS tenant
), tenants (tenant, wrapped, n) AS (
	SELECT tenant, false, 1 FROM begin WHERE tenant IS NOT NULL
	UNION ALL
	SELECT coalesce(later, earlier), wrapped OR later IS NULL, n + 1
		FROM tenants CROSS JOIN begin
		CROSS JOIN LATERAL (SELECT (SELECT jobs.tenant FROM jobs WHERE class = $1 AND jobs.tenant > tenants.tenant AND %[2]s%[7]s) AS later OFFSET 0) AS a
		CROSS JOIN LATERAL (SELECT CASE WHEN later IS NULL AND NOT wrapped THEN
			(SELECT jobs.tenant FROM jobs WHERE class = $1 AND %[2]s%[7]s) END AS earlier OFFSET 0) AS b
		WHERE n < %[3]d AND (NOT wrapped AND later IS NOT NULL OR coalesce(later, earlier) < begin.tenant)
), first AS (
	SELECT candidate.id, candidate.run_at, (SELECT count(*) FROM jobs WHERE class = $1 AND jobs.tenant = tenants.tenant AND %[4]s) AS busy
		FROM tenants CROSS JOIN LATERAL (
			(SELECT id, run_at FROM delivered WHERE delivered.tenant = tenants.tenant)
			UNION ALL
			(SELECT id, run_at FROM jobs WHERE class = $1 AND jobs.tenant = tenants.tenant AND run_at <= %[1]s AND %[2]s
				AND NOT EXISTS (SELECT FROM delivered WHERE delivered.tenant = tenants.tenant)%[7]s)
		) AS candidate
), chosen AS (
	SELECT id FROM first ORDER BY busy, id <> $2, run_at, id LIMIT 1
)
UPDATE jobs SET status = 'running', generation = generation + 1, attempt = attempt + 1, lease_owner = $3, lease_until = %[1]s + $4,
	updated_at = %[1]s, river_id = $5
	FROM chosen WHERE jobs.id = chosen.id AND jobs.run_at <= %[1]s AND %[5]s RETURNING %[6]s`,
	microsNow, waiting, maxTenants, running, "jobs."+waiting, jobs.qualified("jobs"), byWaiting)

// Claim implements queue.Deliverer. It is one statement, which waits for no other. CodeNotFound if no job is due.
func (s *Store) Claim(ctx context.Context, d queue.Delivery, owner string, lease time.Duration) (j queue.Job, err error) {
	for range maxAttempts {
		found := false
		result, err := s.pool.Query(ctx, claimJob, string(d.Class), string(d.Job), owner, lease.Microseconds(), d.Number)
		if err == nil {
			err = scanAll(result, func(r *rows.Row) { jobs.rows.Scan(r, &j); found = true })
		}
		if err == nil && found || err != nil && !isConflict(err) {
			return j, translate(err)
		}
		if err == nil && !s.anyDue(ctx, d.Class) {
			break
		}
	}
	return j, engine.NotFound("", jobs.rows.Noun)
}

// anyDue reports whether a job of a class is due: then another process took the one that was chosen.
func (s *Store) anyDue(ctx context.Context, class queue.Class) bool {
	var any bool
	err := s.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM jobs WHERE class = $1 AND run_at <= "+microsNow+" AND "+waiting+")", string(class)).Scan(&any)
	return err == nil && any
}

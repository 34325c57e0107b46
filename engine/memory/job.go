package memory

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// tenantJobs identifies the jobs of one tenant in one class.
type tenantJobs struct {
	class  queue.Class
	tenant string
}

// in reports whether skip has the tenant for the class.
func (q tenantJobs) in(skip map[queue.Class]string) bool {
	tenant, ok := skip[q.class]
	return ok && tenant == q.tenant
}

func (tx *readTx) Job(id queue.ID) (queue.Job, error) { return get(tx, tx.jobs, id) }

func (tx *readTx) JobByKey(key string) (queue.Job, error) {
	return first(tx, tx.jobs, tx.jobsByKey, key)
}

func (tx *readTx) NextJobAt(classes []queue.Class, skip map[queue.Class]string) (at time.Time, ok bool, err error) {
	if err := tx.checkOpen(); err != nil {
		return at, false, err
	}
	if leased := tx.jobsLeased.first(tx, struct{}{}); leased != nil {
		at, ok = leased.LeaseUntil, true
	}
	for q, j := range tx.jobsWaiting.firsts(tx, tenantJobs{}) {
		if slices.Contains(classes, q.class) && !q.in(skip) && (!ok || j.RunAt.Before(at)) {
			at, ok = j.RunAt, true
		}
	}
	return at, ok, nil
}

func (tx *readTx) LeasedJobs() ([]queue.Job, error) {
	return list(tx, tx.jobs, tx.jobsLeased, struct{}{})
}

func (tx *writeTx) Enqueue(j queue.Job) error {
	if _, err := tx.JobByKey(j.Key); engine.CodeOf(err) != engine.CodeNotFound {
		return err
	}
	return tx.PutJob(j)
}

// DueJob compares the first waiting job of each tenant.
func (tx *writeTx) DueJob(class queue.Class, now time.Time, skip map[queue.Class]string) (queue.Job, error) {
	if err := tx.checkOpen(); err != nil {
		return queue.Job{}, err
	}
	var due *queue.Job
	var busy int // running jobs of its tenant
	for q, j := range tx.jobsWaiting.firsts(&tx.readTx, tenantJobs{class: class}) {
		if q.class != class {
			break
		}
		if j.RunAt.After(now) || q.in(skip) {
			continue
		}
		running := tx.jobsRunning.count(&tx.readTx, q)
		if due == nil || cmp.Or(cmp.Compare(running, busy), byRunAt(j, due)) < 0 {
			due, busy = j, running
		}
	}
	if due == nil {
		return queue.Job{}, engine.NotFound("", tx.jobs.noun)
	}
	return tx.jobs.copyOf(due), nil
}

// PutJob fails with CodeConflict if another unfinished job has the same Key.
func (tx *writeTx) PutJob(j queue.Job) error {
	if live, err := tx.JobByKey(j.Key); err == nil && live.ID != j.ID && !j.Status.Terminal() {
		return engine.Errorf(engine.CodeConflict, "", "Another unfinished job has the same key.")
	}
	return put(tx, tx.jobs, j.ID, j)
}

func tenantJobsName(q tenantJobs) string { return pair(q.class, q.tenant) }

func liveJob(j *queue.Job) (string, bool) { return j.Key, !j.Status.Terminal() }
func waitingJob(j *queue.Job) (tenantJobs, bool) {
	return tenantJobs{j.Class, j.Tenant}, j.Status.Waiting()
}
func runningJob(j *queue.Job) (tenantJobs, bool) { return tenantJobs{j.Class, j.Tenant}, isRunning(j) }
func leasedJob(j *queue.Job) (struct{}, bool)    { return struct{}{}, isRunning(j) }
func isRunning(j *queue.Job) bool                { return j.Status == queue.Running }

func byJobID(a, b *queue.Job) int { return strings.Compare(string(a.ID), string(b.ID)) }
func byRunAt(a, b *queue.Job) int { return byAge(a.RunAt, a.ID, b.RunAt, b.ID) }
func byLease(a, b *queue.Job) int { return byAge(a.LeaseUntil, a.ID, b.LeaseUntil, b.ID) }

func cloneJob(j queue.Job) queue.Job {
	j.RunAt, j.LeaseUntil = utc(j.RunAt), utc(j.LeaseUntil)
	j.CreatedAt, j.UpdatedAt = utc(j.CreatedAt), utc(j.UpdatedAt)
	return j
}

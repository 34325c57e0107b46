package sqlite

import "github.com/soundstage-dev/soundstage/engine/queue"

var waitingJobs = "SELECT " + jobs.columns + " FROM jobs INDEXED BY jobs_waiting WHERE " + waiting + " ORDER BY run_at, id LIMIT ?"

// WaitingJobs reads and sorts all waiting jobs. It is meant for operators, not for frequent use.
func (t *readTx) WaitingJobs(limit int) ([]queue.Job, error) {
	return all(t, jobs, waitingJobs, int64(limit))
}

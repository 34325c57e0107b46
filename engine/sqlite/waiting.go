package sqlite

import "github.com/soundstage-dev/soundstage/engine/queue"

var waitingJobs = "SELECT " + jobs.columns + " FROM jobs INDEXED BY jobs_waiting WHERE " + waiting + " ORDER BY run_at, id LIMIT ?"

// WaitingJobs is an operator's question: it reads the index of all that waits.
func (t *readTx) WaitingJobs(limit int) ([]queue.Job, error) {
	return all(t, jobs, waitingJobs, int64(limit))
}

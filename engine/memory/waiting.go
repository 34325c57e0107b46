package memory

import (
	"slices"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// WaitingJobs merges the first jobs of each tenant in each class.
func (tx *readTx) WaitingJobs(limit int) ([]queue.Job, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	var first []*queue.Job
	for q := range tx.jobsWaiting.firsts(tx, tenantJobs{}) {
		n := 0
		for j := range tx.jobsWaiting.ascend(tx, q) {
			if n++; n > limit {
				break
			}
			first = append(first, j)
		}
	}
	slices.SortFunc(first, byRunAt)
	out := make([]queue.Job, min(len(first), limit))
	for i := range out {
		out[i] = tx.jobs.copyOf(first[i])
	}
	return out, nil
}

package memory

import (
	"slices"

	"github.com/soundstage-dev/soundstage/engine"
)

// WaitingJobs takes the first jobs of each tenant of each class, and of these the first.
func (tx *readTx) WaitingJobs(limit int) ([]engine.Job, error) {
	if err := tx.alive(); err != nil {
		return nil, err
	}
	var first []*engine.Job
	for q := range tx.jobsWaiting.firsts(tx, queue{}) {
		n := 0
		for j := range tx.jobsWaiting.ascend(tx, q) {
			if n++; n > limit {
				break
			}
			first = append(first, j)
		}
	}
	slices.SortFunc(first, byRunAt)
	out := make([]engine.Job, min(len(first), limit))
	for i := range out {
		out[i] = tx.jobs.own(first[i])
	}
	return out, nil
}

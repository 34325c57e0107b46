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
	for _, jobs := range tx.jobsWaiting.groups {
		first = append(first, jobs[:min(len(jobs), limit)]...)
	}
	slices.SortFunc(first, byRunAt)
	out := make([]engine.Job, min(len(first), limit))
	for i := range out {
		out[i] = cloneJob(*first[i])
	}
	return out, nil
}

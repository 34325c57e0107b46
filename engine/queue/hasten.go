package queue

import (
	"context"
	"errors"
	"fmt"
)

// ErrNotWaiting is the error of Hasten for a job that doesn't wait for its time.
var ErrNotWaiting = errors.New("queue: the job is not waiting for its time")

// Hasten makes a job due that waits for its RunAt: a worker takes it as soon as one is free. It returns an error that is ErrNotWaiting for a
// job that is due already, runs, or has ended.
func (q *Queue[R, W]) Hasten(ctx context.Context, id ID) error {
	return q.Update(ctx, func(tx W) error {
		j, err := tx.Job(id)
		if err != nil {
			return err
		}
		now := q.now()
		if !j.Status.Waiting() || !j.RunAt.After(now) {
			return fmt.Errorf("%w: it is %s", ErrNotWaiting, j.Status)
		}
		j.RunAt, j.UpdatedAt = now, now
		return tx.PutJob(j)
	})
}

package queue

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/fsm"
)

// Cancel requests that a job stop: immediately if it waits or runs in this process, or at its next heartbeat if another
// process runs it. For a finished job, it returns a *fsm.TransitionError with the job's status as State.
func (q *Queue[R, W]) Cancel(ctx context.Context, id ID) error {
	if err := q.Update(ctx, func(tx W) error {
		j, err := tx.Job(id)
		if err != nil {
			return err
		}
		j.CancelRequested, j.UpdatedAt = true, q.now()
		if j.Status == Running {
			return tx.PutJob(j)
		}
		return q.endJob(tx, j, Stopped, ErrCanceled)
	}); err != nil {
		return err
	}
	if a := q.attemptOf(id); a != nil {
		a.cancel(ErrCanceled)
	}
	return nil
}

// CancelAll is Cancel for several jobs, in one transaction. find returns them; it skips finished ones. CancelAll returns how many were
// still running.
func (q *Queue[R, W]) CancelAll(ctx context.Context, find func(R) ([]Job, error)) (int, error) {
	var running []ID
	if err := q.Update(ctx, func(tx W) error {
		jobs, err := find(any(tx).(R))
		running = nil
		for _, j := range jobs {
			if err != nil || j.Status.Terminal() {
				continue
			}
			j.CancelRequested, j.UpdatedAt = true, q.now()
			if j.Status == Running {
				running = append(running, j.ID)
				err = tx.PutJob(j)
			} else {
				err = q.endJob(tx, j, Stopped, ErrCanceled)
			}
		}
		return err
	}); err != nil {
		return 0, err
	}
	for _, id := range running {
		if a := q.attemptOf(id); a != nil {
			a.cancel(ErrCanceled)
		}
	}
	return len(running), nil
}

// CancelOf cancels all unfinished jobs of a row, and returns their number. It spares jobs of ClassMaintain, which clean
// up after a cancel.
func (q *Queue[R, W]) CancelOf(ctx context.Context, ref string) (int, error) {
	n := 0
	for _, kind := range slices.Sorted(maps.Keys(q.c.Handlers)) {
		if q.c.Handlers[kind].Class == ClassMaintain {
			continue
		}
		var j Job
		err := q.c.Store.View(ctx, func(tx R) (err error) {
			j, err = tx.JobByKey(Key(kind, ref))
			return err
		})
		if err == nil {
			err = q.Cancel(ctx, j.ID)
		}
		var over *fsm.TransitionError
		switch {
		case err == nil:
			n++
		case errors.As(err, &over), q.c.Classify(err).NotFound:
		default:
			return n, err
		}
	}
	return n, nil
}

package queue

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/fsm"
)

// Cancel requests that a job be stopped: at once when it waits or runs in this process, at its next heartbeat when it runs in another.
// The error of a job that is over is a *fsm.TransitionError with its status as State.
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

// CancelOf cancels every job about a row that isn't over, and returns how many there were. Jobs of ClassMaintain go on: they tidy up
// after a cancel.
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

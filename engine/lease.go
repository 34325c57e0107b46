package engine

import (
	"context"
	"errors"
	"time"
)

// beat keeps the lease of a running job until ctx is done, three times in its length, and stops the job when a cancel was
// asked for or the lease is somebody else's.
func (w *work) beat(ctx context.Context, stop context.CancelCauseFunc) {
	until := w.job.LeaseUntil
	for {
		timer := w.e.clock.NewTimer(w.e.lease / 3)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C():
		}
		var next time.Time
		canceled := false
		err := w.e.store.Update(ctx, func(tx Tx) error {
			j, err := w.fence(tx)
			if err != nil {
				return err
			}
			canceled, next = j.CancelRequested, w.e.now().Add(w.e.lease)
			j.LeaseUntil = next
			return tx.PutJob(j)
		})
		switch {
		case err == nil && canceled:
			stop(errCancelRequested)
			return
		case err == nil:
			until = next
		case errors.Is(err, errLostLease), !w.e.now().Before(until):
			stop(errLostLease)
			return
		}
	}
}

// releaseAll takes back every lease: no other process can have the store open, so they are all an earlier process's.
func (r *runner) releaseAll(ctx context.Context) error {
	return r.takeBack(ctx, func(Job) bool { return true })
}

// expireLeases takes back every lease that has run out.
func (r *runner) expireLeases(ctx context.Context) error {
	if r.e.alone {
		return r.takeBack(ctx, func(j Job) bool { return !r.e.runs(j.ID) })
	}
	now := r.e.now()
	return r.takeBack(ctx, func(j Job) bool { return !j.LeaseUntil.After(now) })
}

// takeBack makes running jobs wait again, under a new generation that fences their worker off.
func (r *runner) takeBack(ctx context.Context, lost func(Job) bool) error {
	var leased []Job
	if err := r.e.store.View(ctx, func(tx ReadTx) (err error) {
		leased, err = tx.LeasedJobs()
		return err
	}); err != nil {
		return err
	}
	for _, j := range leased {
		if !lost(j) {
			continue
		}
		if err := r.e.update(ctx, func(tx Tx) error {
			now, err := tx.Job(j.ID)
			if err != nil || now.Generation != j.Generation || now.Status != JobRunning || !lost(now) {
				return err // it moved on in the meantime
			}
			return r.e.expire(tx, now)
		}); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) expire(tx Tx, j Job) error {
	if j.CancelRequested {
		return e.endJob(tx, j, JobStopped, errCancelRequested)
	}
	if j.Generation >= maxGenerations {
		return e.endJob(tx, j, JobExhausted, Errorf(CodeInternal, "Run", "The work was given up because its worker kept stopping."))
	}
	e.log.Warn("lease expired", "kind", j.Kind, "ref", j.Ref, "generation", j.Generation)
	if err := j.apply(JobExpired); err != nil {
		return err
	}
	j.Generation++
	j.Attempt--
	j.RunAt, j.LeaseOwner, j.LeaseUntil, j.UpdatedAt = e.now(), "", time.Time{}, e.now()
	return tx.PutJob(j)
}

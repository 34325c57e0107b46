package queue

import (
	"context"
	"errors"
	"sync"
	"time"
)

// maxGenerations bounds how often a job may take its process down before it is given up.
const maxGenerations = 50

// leaseFrom is until when a job is leased that is claimed or renewed now.
func (q *Queue[R, W]) leaseFrom(now time.Time) time.Time {
	if q.c.SoleWorker {
		return Never
	}
	return now.Add(q.c.Lease)
}

// watch keeps an attempt informed until stop is called: about its lease, which it renews, and about a cancel.
func (q *Queue[R, W]) watch(a *Attempt) (stop func()) {
	if q.c.SoleWorker {
		q.heedCancel(a)
		return func() {}
	}
	ctx, cancel := context.WithCancel(a.ctx)
	var beats sync.WaitGroup
	beats.Go(func() { q.beat(ctx, a) })
	return func() {
		cancel()
		beats.Wait()
	}
}

// heedCancel stops an attempt whose cancel was requested after its claim and before this process knew the attempt. Later requests reach
// it directly.
func (q *Queue[R, W]) heedCancel(a *Attempt) {
	_ = q.c.Store.View(a.ctx, func(tx R) error {
		j, err := tx.Job(a.Job.ID)
		if err == nil && j.CancelRequested {
			a.cancel(ErrCanceled)
		}
		return err
	})
}

// beat renews the lease of an attempt until ctx is done, three times in its length, and stops the attempt when a cancel was requested or
// the lease is lost.
func (q *Queue[R, W]) beat(ctx context.Context, a *Attempt) {
	until := a.Job.LeaseUntil
	for {
		timer := q.c.Clock.NewTimer(q.c.Lease / 3)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C():
		}
		var next time.Time
		canceled := false
		err := q.c.Store.Update(ctx, func(tx W) error {
			j, err := fence(tx, a.Job)
			if err != nil {
				return err
			}
			canceled, next = j.CancelRequested, q.now().Add(q.c.Lease)
			j.LeaseUntil = next
			return tx.PutJob(j)
		})
		switch {
		case err == nil && canceled:
			a.cancel(ErrCanceled)
			return
		case err == nil:
			until = next
		case errors.Is(err, ErrLostLease), !q.now().Before(until):
			a.cancel(ErrLostLease)
			return
		}
	}
}

// expireLeases takes back every lease that nobody holds any more.
func (q *Queue[R, W]) expireLeases(ctx context.Context) error {
	if q.c.SoleWorker {
		return q.takeBack(ctx, func(j Job) bool { return q.attemptOf(j.ID) == nil })
	}
	now := q.now()
	return q.takeBack(ctx, func(j Job) bool { return !j.LeaseUntil.After(now) })
}

// attemptOf returns the attempt of a job in this process, nil for none.
func (q *Queue[R, W]) attemptOf(id ID) *Attempt {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.running[id]
}

// takeBack makes running jobs wait again, under a new generation that fences their worker off.
func (q *Queue[R, W]) takeBack(ctx context.Context, lost func(Job) bool) error {
	var leased []Job
	if err := q.c.Store.View(ctx, func(tx R) (err error) {
		leased, err = tx.LeasedJobs()
		return err
	}); err != nil {
		return err
	}
	for _, j := range leased {
		if !lost(j) {
			continue
		}
		if err := q.Update(ctx, func(tx W) error {
			now, err := tx.Job(j.ID)
			if err != nil || now.Generation != j.Generation || now.Status != Running || !lost(now) {
				return err // it moved on in the meantime
			}
			return q.expire(tx, now)
		}); err != nil {
			return err
		}
	}
	return nil
}

func (q *Queue[R, W]) expire(tx W, j Job) error {
	if j.CancelRequested {
		return q.endJob(tx, j, Stopped, ErrCanceled)
	}
	if j.Generation >= maxGenerations {
		return q.endJob(tx, j, Exhausted, ErrAbandoned)
	}
	q.c.Log.Warn("lease expired", "kind", j.Kind, "ref", j.Ref, "generation", j.Generation)
	if err := j.apply(Expired); err != nil {
		return err
	}
	j.Generation++
	j.Attempt--
	j.RunAt, j.LeaseOwner, j.LeaseUntil, j.UpdatedAt = q.now(), "", time.Time{}, q.now()
	return tx.PutJob(j)
}

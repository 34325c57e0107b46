package queue

import (
	"context"
	"errors"
	"sync"
	"time"
)

// maxGenerations limits how often a job may crash its process before it is abandoned.
const maxGenerations = 50

// leaseFrom returns the expiry of a lease that is taken or renewed now.
func (q *Queue[R, W]) leaseFrom(now time.Time) time.Time {
	if q.c.SoleWorker {
		return Never
	}
	return now.Add(q.c.Lease)
}

// watch renews an attempt's lease and notifies it of a cancel, until stop is called.
func (q *Queue[R, W]) watch(a *Attempt) (stop func()) {
	if q.c.SoleWorker {
		q.stopIfCanceled(a)
		return func() {}
	}
	ctx, cancel := context.WithCancel(a.ctx)
	var beats sync.WaitGroup
	beats.Go(func() { q.renewLease(ctx, a) })
	return func() {
		cancel()
		beats.Wait()
	}
}

// stopIfCanceled stops an attempt whose cancel was requested between its claim and its registration in this process. Later requests reach it
// directly.
func (q *Queue[R, W]) stopIfCanceled(a *Attempt) {
	_ = q.c.Store.View(a.ctx, func(tx R) error {
		j, err := tx.Job(a.Job.ID)
		if err == nil && j.CancelRequested {
			a.cancel(ErrCanceled)
		}
		return err
	})
}

// renewLease renews an attempt's lease three times per lease until ctx is done. It stops the attempt when a cancel was
// requested or the lease is lost.
func (q *Queue[R, W]) renewLease(ctx context.Context, a *Attempt) {
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

// expireLeases takes back expired leases and those of processes that are gone.
func (q *Queue[R, W]) expireLeases(ctx context.Context) error {
	if q.c.SoleWorker {
		return q.requeue(ctx, func(j Job) bool { return q.attemptOf(j.ID) == nil })
	}
	now := q.now()
	return q.requeue(ctx, func(j Job) bool { return !j.LeaseUntil.After(now) })
}

// attemptOf returns a job's attempt in this process, or nil.
func (q *Queue[R, W]) attemptOf(id ID) *Attempt {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.running[id]
}

// requeue makes running jobs wait again with a new generation, which fences off their workers.
func (q *Queue[R, W]) requeue(ctx context.Context, lost func(Job) bool) error {
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
		expired := false
		if err := q.Update(ctx, func(tx W) error {
			expired = false
			now, err := tx.Job(j.ID)
			if err != nil || now.Generation != j.Generation || now.Status != Running || !lost(now) {
				return err // its status changed in the meantime
			}
			expired = true
			return q.expire(tx, now)
		}); err != nil {
			return err
		}
		if o, ok := q.c.Observer.(LeaseObserver); ok && expired {
			o.Expired(j)
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
	q.logOf(j).Warn("lease expired")
	if err := j.apply(Expired); err != nil {
		return err
	}
	j.Generation++
	j.Attempt--
	j.RunAt, j.LeaseOwner, j.LeaseUntil, j.UpdatedAt = q.now(), "", time.Time{}, q.now()
	return tx.PutJob(j)
}

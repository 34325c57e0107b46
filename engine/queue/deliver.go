package queue

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Deliverer is an optional ability of a Store that several processes share: it delivers its jobs to them, so that none has to look for work.
// The row of a job stays the truth: a second delivery finds it claimed, and a lost one is found after a while.
type Deliverer interface {
	// Deliver calls work for jobs that are due, for at most workers[class] at once in this process. A delivery goes to one process. Deliver
	// returns when ctx is done and every call of work has returned. The context of work ends early, with the cause ErrCanceled, when
	// the job's cancel was requested in another process. If work returns an error, the job is delivered again.
	Deliver(ctx context.Context, workers map[Class]int, work func(context.Context, Delivery) error) error
	// Claim leases a job of the delivery's class to owner: of the jobs that are due, it chooses by fewest running jobs of the tenant, then
	// the delivered one, then by earliest RunAt. It increments Generation and Attempt. Times are the store's own. An error that is
	// NotFound means that no job is due.
	Claim(ctx context.Context, d Delivery, owner string, lease time.Duration) (Job, error)
}

// Delivery says that a job of a class is due. Job is the one it was sent for, or "". Number is the Deliverer's own.
type Delivery struct {
	Class  Class
	Job    ID
	Number int64
}

const (
	// leaseCheck is how often Run looks for leases that ran out.
	leaseCheck = 5 * time.Second
	// claimTimeout limits a claim, which a lost connection would otherwise block.
	claimTimeout = 10 * time.Second
	// overdue is how long a job may be due, while a worker of its class is free, before Run claims it without a delivery.
	overdue = 10 * time.Second
	// handover is how long a worker must be free for that. Between two deliveries it is free for a moment, or for a second after a failed claim.
	handover = 2 * time.Second
)

// runDelivered is Run with a Deliverer.
func (r *runner[R, W]) runDelivered(ctx context.Context) error {
	var looking sync.WaitGroup
	looking.Go(func() { r.lookAfter(ctx) })
	defer looking.Wait()
	workers := map[Class]int{}
	for class, p := range r.pools {
		workers[class] = p.workers
	}
	return r.c.Deliverer.Deliver(ctx, workers, func(delivered context.Context, d Delivery) error { return r.perform(ctx, delivered, d) })
}

// perform claims a job of a class and does it. Its end is written when perform returns. The end of ctx doesn't interrupt a claim, because the
// store may have written it already: the job is then released at once.
func (r *runner[R, W]) perform(ctx, delivered context.Context, d Delivery) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	claiming, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTimeout)
	defer cancel()
	j, err := r.c.Deliverer.Claim(claiming, d, r.owner, r.c.Lease)
	switch {
	case err != nil && r.c.Classify(err).NotFound:
		return nil
	case err != nil:
		r.c.Log.Error("claiming a job failed", "class", d.Class, "err", err)
		return err
	}
	t := r.begin(ctx, j)
	stop := context.AfterFunc(delivered, func() {
		if errors.Is(context.Cause(delivered), ErrCanceled) {
			t.cancel(ErrCanceled)
		}
	})
	defer stop()
	r.do(ctx, t)
	return nil
}

// lookAfter takes back leases that ran out, and claims jobs whose delivery was lost, until ctx is done.
func (r *runner[R, W]) lookAfter(ctx context.Context) {
	for {
		if pause(ctx, leaseCheck); ctx.Err() != nil {
			return
		}
		if err := r.lookOnce(ctx); err != nil && ctx.Err() == nil {
			r.c.Log.Error("looking after jobs failed", "err", err)
		}
	}
}

func (r *runner[R, W]) lookOnce(ctx context.Context) error {
	lease, leased, err := r.nextAt(ctx)
	if err != nil {
		return err
	}
	if leased && !lease.After(r.now()) {
		if err := r.expireLeases(ctx); err != nil {
			return err
		}
	}
	r.countBusy()
	if waits, err := r.waitsTooLong(ctx, r.freeWorkers()); err != nil || len(waits) == 0 {
		return err
	}
	pause(ctx, handover)
	lost, err := r.waitsTooLong(ctx, r.freeWorkers())
	for class, free := range lost {
		for range free { // many deliveries may be lost at once
			r.jobs.Go(func() { _ = r.perform(ctx, ctx, Delivery{Class: class}) })
		}
	}
	return err
}

// waitsTooLong returns the classes of free that have a job that is overdue.
func (r *runner[R, W]) waitsTooLong(ctx context.Context, free map[Class]int) (map[Class]int, error) {
	for class := range free {
		at, ok, err := r.nextAt(ctx, class)
		if err != nil {
			return nil, err
		}
		if !ok || !at.Before(r.now().Add(-overdue)) {
			delete(free, class)
		}
	}
	return free, nil
}

// nextAt is NextJobAt in a View. Without classes it returns when the next lease ends.
func (r *runner[R, W]) nextAt(ctx context.Context, classes ...Class) (at time.Time, ok bool, err error) {
	err = r.c.Store.View(ctx, func(tx R) (err error) {
		at, ok, err = tx.NextJobAt(classes, nil)
		return err
	})
	return at, ok, err
}

// countBusy begins to count how many workers of each class are busy at most.
func (q *Queue[R, W]) countBusy() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, p := range q.pools {
		p.most = p.busy
	}
}

// freeWorkers returns how many workers of each class were free since countBusy, for classes with any.
func (q *Queue[R, W]) freeWorkers() map[Class]int {
	q.mu.Lock()
	defer q.mu.Unlock()
	free := map[Class]int{}
	for class, p := range q.pools {
		if p.most < p.workers {
			free[class] = p.workers - p.most
		}
	}
	return free
}

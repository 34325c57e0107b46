package queue

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

const (
	// lookEvery is the longest time between two looks at the store, for jobs that other processes enqueue and leases that they lose. A
	// sole worker looks only for jobs whose end it could not write.
	lookEvery = 10 * time.Second
	// errorPause is how long Run waits when the store fails.
	errorPause = time.Second
)

// Never is when the leases of a sole worker expire.
var Never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// runner is one call of Run.
type runner[R Reader, W Writer] struct {
	*Queue[R, W]
	jobs sync.WaitGroup
	look bool // whether it is time to look for jobs that no worker has
}

// Run does the jobs until ctx is done: it claims what is due, renews leases, takes over those that expired, and repeats what failed. It
// returns when every attempt has stopped and its row says so; jobs that were stopped by the end of ctx wait for the next Run. A second
// Run at the same time is an error. Several queues, each in its process, may run on one Store unless one is its SoleWorker.
func (q *Queue[R, W]) Run(ctx context.Context) error {
	if !q.begin() {
		return errors.New("queue: Run is running already")
	}
	defer q.leave()
	r := &runner[R, W]{Queue: q}
	defer r.jobs.Wait()
	if q.c.SoleWorker {
		if err := q.takeBack(ctx, func(Job) bool { return true }); err != nil && ctx.Err() == nil {
			return err
		}
	}
	for ctx.Err() == nil {
		seen := q.drainWakeups()
		at, err := r.dispatch(ctx)
		if err != nil && ctx.Err() == nil {
			q.c.Log.Error("jobs can't be dispatched", "err", err)
			q.unsaved.Store(true)
			pause(ctx, errorPause)
			continue
		}
		r.wait(ctx, at, seen)
	}
	return nil
}

func (q *Queue[R, W]) begin() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	first := !q.runs
	q.runs = true
	return first
}

func (q *Queue[R, W]) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.runs = false
}

// drainWakeups discards stale wake-ups and returns how many there were: a token that is older than what Run knows would end a wait, and
// its timer, just when the Observer has been told of both.
func (q *Queue[R, W]) drainWakeups() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, tokens := range []chan struct{}{q.wake, q.freed} {
		select {
		case <-tokens:
		default:
		}
	}
	return q.wakeups
}

// wait returns when there may be something to do: at the time at, if that isn't zero, when it is woken, or when it is time to look.
func (r *runner[R, W]) wait(ctx context.Context, at time.Time, seen uint64) {
	var due, look <-chan time.Time
	if !at.IsZero() {
		now := r.now()
		if !at.After(now) {
			return
		}
		timer := r.c.Clock.NewTimer(at.Sub(now))
		defer timer.Stop()
		due = timer.C()
	}
	if !r.c.SoleWorker || r.unsaved.Load() { // in the machine's time: it is the store's trouble, or another machine's work
		timer := time.NewTimer(lookEvery)
		defer timer.Stop()
		look = timer.C
	}
	r.reportIdle(at, seen)
	select {
	case <-ctx.Done():
	case <-r.wake:
	case <-r.freed:
	case <-due:
	case <-look:
		r.look = true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reportWoken()
}

// reportIdle tells the Observer that there is nothing to do, unless a wake-up came in between.
func (q *Queue[R, W]) reportIdle(next time.Time, seen uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.idle = q.wakeups == seen; q.idle && q.c.Observer != nil {
		q.c.Observer.Idle(next)
	}
}

// reportWoken tells the Observer that Run goes on, if it doesn't know; mu is held.
func (q *Queue[R, W]) reportWoken() {
	if q.idle && q.c.Observer != nil {
		q.c.Observer.Woken()
	}
	q.idle = false
}

// pause lets the machine's time pass, but not beyond ctx.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// dispatch starts every job that is due and has a worker, and returns when the next one is: the zero time when there is none.
func (r *runner[R, W]) dispatch(ctx context.Context) (time.Time, error) {
	classes := r.free()
	var at time.Time
	var ok bool
	err := r.c.Store.View(ctx, func(tx R) (err error) {
		at, ok, err = tx.NextJobAt(classes)
		return err
	})
	if r.c.SoleWorker && r.look {
		r.unsaved.Store(false)
		err = errors.Join(err, r.expireLeases(ctx)) // after an error Run sets unsaved again
	}
	r.look = false
	if err != nil || !ok || !at.Before(Never) {
		return time.Time{}, err
	}
	if at.After(r.now()) {
		return at, nil
	}
	if !r.c.SoleWorker {
		if err := r.expireLeases(ctx); err != nil {
			return at, err
		}
	}
	for _, class := range classes {
		if err := r.claim(ctx, class); err != nil {
			return at, err
		}
	}
	return at, nil
}

// free returns the classes that have a free worker.
func (q *Queue[R, W]) free() []Class {
	q.mu.Lock()
	defer q.mu.Unlock()
	var classes []Class
	for class, workers := range q.c.Workers {
		if q.busy[class] < workers {
			classes = append(classes, class)
		}
	}
	slices.Sort(classes)
	return classes
}

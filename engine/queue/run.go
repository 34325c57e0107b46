package queue

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

const (
	// pollInterval is the longest interval between checks of the store, for jobs and lost leases of other processes. A sole
	// worker checks only for jobs whose end it could not write.
	pollInterval = 10 * time.Second
	// errorPause is the wait of Run after an error of the store.
	errorPause = time.Second
)

// Never is the lease expiry when this process is the only worker.
var Never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// runner is the state of one call of Run.
type runner[R Reader, W Writer] struct {
	*Queue[R, W]
	jobs sync.WaitGroup
	look bool // whether it is time to check for expired leases
}

// Run does jobs until ctx is done: it claims due jobs, renews leases, takes over expired ones, and retries failures. It
// returns when all attempts have stopped and their end is written. Jobs that were interrupted wait for the next Run. A
// second concurrent Run is an error. Several queues, in one process each, may share a Store, unless one is its
// SoleWorker.
func (q *Queue[R, W]) Run(ctx context.Context) error {
	if !q.startRun() {
		return errors.New("queue: Run is already running")
	}
	defer q.endRun()
	r := &runner[R, W]{Queue: q}
	defer r.jobs.Wait()
	if q.c.SoleWorker {
		if err := q.requeue(ctx, func(Job) bool { return true }); err != nil && ctx.Err() == nil {
			return err
		}
	}
	if q.c.Deliverer != nil {
		return r.runDelivered(ctx)
	}
	for ctx.Err() == nil {
		seen := q.drainWakeups()
		at, err := r.dispatch(ctx)
		if err != nil && ctx.Err() == nil {
			q.c.Log.Error("dispatching jobs failed", "err", err)
			q.unsaved.Store(true)
			pause(ctx, errorPause)
			continue
		}
		r.wait(ctx, at, seen)
	}
	return nil
}

func (q *Queue[R, W]) startRun() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	first := !q.runs
	q.runs = true
	return first
}

func (q *Queue[R, W]) endRun() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.runs = false
}

// drainWakeups discards stale wake-ups and returns how many there were. A stale one would end a wait, and its timer, just
// after the Observer was notified of both.
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

// wait returns when there may be work: at the time at unless zero, on a wake-up, or when the store must be checked.
func (r *runner[R, W]) wait(ctx context.Context, at time.Time, seen uint64) {
	var due, look <-chan time.Time
	if !at.IsZero() {
		if !at.After(r.now()) {
			return
		}
		timer := TimerAt(r.c.Clock, at)
		defer timer.Stop()
		due = timer.C()
	}
	if !r.c.SoleWorker || r.unsaved.Load() { // on the wall clock, because it waits for the store or for other processes
		timer := time.NewTimer(pollInterval)
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

// reportIdle calls Observer.Idle, unless there was a wake-up in the meantime.
func (q *Queue[R, W]) reportIdle(next time.Time, seen uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.idle = q.wakeups == seen; q.idle && q.c.Observer != nil {
		q.c.Observer.Idle(next)
	}
}

// reportWoken calls Observer.Woken if the last call was Idle; mu is held.
func (q *Queue[R, W]) reportWoken() {
	if q.idle && q.c.Observer != nil {
		q.c.Observer.Woken()
	}
	q.idle = false
}

// pause waits on the wall clock, or until ctx is done.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// dispatch starts due jobs, at most one of each class. It returns when the next one is due, or the zero time.
func (r *runner[R, W]) dispatch(ctx context.Context) (time.Time, error) {
	classes, skip := r.open()
	var at time.Time
	var ok bool
	err := r.c.Store.View(ctx, func(tx R) (err error) {
		at, ok, err = tx.NextJobAt(classes, skip)
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
		if err := r.claim(ctx, class, skip); err != nil {
			return at, err
		}
	}
	return at, nil
}

// open returns the classes that may start a job, and for some of them the tenant whose jobs they must skip.
func (q *Queue[R, W]) open() (classes []Class, skip map[Class]string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	skip = map[Class]string{}
	for class, p := range q.pools {
		ok, holder := p.open()
		if !ok {
			continue
		}
		classes = append(classes, class)
		if holder != nil {
			skip[class] = *holder
		}
	}
	slices.Sort(classes)
	return classes, skip
}

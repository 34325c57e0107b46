package engine

import (
	"context"
	"time"
)

// never is when the lease of a job ends that nobody else may take.
var never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// leaseFrom is until when a job is leased that is claimed or beaten now.
func (e *Engine) leaseFrom(now time.Time) time.Time {
	if e.alone {
		return never
	}
	return now.Add(e.lease)
}

// try is a job that runs in this process.
type try struct {
	job    Job
	ctx    context.Context
	cancel context.CancelCauseFunc
	free   func()    // gives the worker back; more than once does nothing
	until  time.Time // what the clock must show for it to end; zero while it works. Guarded by Engine.mu
	kept   bool      // whether a DeliveryGate keeps it back. Guarded by Engine.mu
}

// rest is what there is to know of whether the engine has something to do. It is guarded by Engine.mu.
type rest struct {
	runners int           // calls of Run
	parked  int           // of them that wait
	pokes   uint64        // how often there was news for them
	seen    uint64        // of them that the last one that parked knew
	due     time.Time     // when it goes on; zero for when it is woken
	moved   chan struct{} // closed when any of this changes, or a try does
}

func (r *rest) poked() {
	r.pokes++
	r.move()
}

func (r *rest) move() {
	close(r.moved)
	r.moved = make(chan struct{})
}

func (e *Engine) park(due time.Time, seen uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rest.parked++
	e.rest.due, e.rest.seen = due, seen
	e.rest.move()
}

func (e *Engine) unpark() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rest.parked--
}

func (e *Engine) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rest.runners--
	e.rest.move()
}

// begin notes that a job runs in this process.
func (e *Engine) begin(ctx context.Context, j Job) *try {
	t := &try{job: j}
	t.ctx, t.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running[j.ID] = t
	return t
}

func (e *Engine) end(t *try) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.running, t.job.ID)
	e.rest.move()
}

// runs reports whether a job runs in this process.
func (e *Engine) runs(id JobID) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running[id] != nil
}

// heed stops a try whose cancel was asked for before this process knew that it runs; later ones reach it directly.
func (w *work) heed(t *try) {
	_ = w.e.store.View(t.ctx, func(tx ReadTx) error {
		j, err := tx.Job(t.job.ID)
		if err == nil && j.CancelRequested {
			t.cancel(errCancelRequested)
		}
		return err
	})
}

// lingers notes what a try waits for, the zero time for nothing.
func (e *Engine) lingers(t *try, until time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if t.ctx.Err() != nil {
		until = time.Time{} // it is being stopped
	}
	t.until = until
	e.rest.move()
}

// keeps notes whether a DeliveryGate keeps a job's try back.
func (e *Engine) keeps(id JobID, kept bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if t := e.running[id]; t != nil {
		t.kept = kept
		e.rest.move()
	}
}

// settled reports whether there is nothing to do at a time. Engine.mu is held.
func (e *Engine) settled(now time.Time) bool {
	for _, t := range e.running {
		if !t.kept && !t.until.After(now) {
			return false
		}
	}
	r := &e.rest
	return r.runners > 0 && r.parked == r.runners && r.seen == r.pokes && (r.due.IsZero() || r.due.After(now))
}

// Settle returns when there is nothing to do until the clock shows another time: no job is due, and every job that runs only waits for
// the clock, or is kept back by a DeliveryGate. That needs Run to be running, and to be the only one on the store. Its error is ctx's.
func (e *Engine) Settle(ctx context.Context) error {
	for {
		now := e.now()
		e.mu.Lock()
		done, moved := e.settled(now), e.rest.moved
		e.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-ctx.Done():
			return wrap("Settle", context.Cause(ctx))
		case <-moved:
		}
	}
}

// Moved returns a channel that is closed as soon as any job of this engine begins, ends, waits or is enqueued: whoever waits for
// something takes the channel, looks, and waits for the channel if it must go on waiting.
func (e *Engine) Moved() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.rest.moved
}

package engine

import (
	"context"
	"errors"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Run runs jobs until ctx is done: it claims them, renews their leases, takes over jobs of dead workers, and retries failed ones. It
// returns when every running job has stopped and its row is written. Jobs stopped by the end of ctx, or by Close, wait for the next Run. A
// second concurrent Run of one Engine is an error. Several processes may run on one Store unless it is exclusive.
func (e *Engine) Run(ctx context.Context) error {
	ctx, done, err := e.lifetime.enter(ctx)
	if err != nil {
		return err
	}
	defer done()
	return wrap("Run", e.queue.Run(ctx))
}

// queueConfig returns the configuration of the engine's queue.
func (e *Engine) queueConfig(c Config) queue.Config[ReadTx, Tx] {
	handlers := make(map[queue.Kind]queue.Handler[Tx], len(jobHandlers))
	for kind, h := range jobHandlers {
		handlers[kind] = e.bind(h)
	}
	deliver := handlers[JobDeliver]
	deliver.Schedule = e.hookRetry
	handlers[JobDeliver] = deliver
	deliverer, _ := c.Store.(queue.Deliverer)
	return queue.Config[ReadTx, Tx]{
		Store: e.store, Handlers: handlers, NewID: func() queue.ID { return queue.ID(e.ids.NewID("job")) }, Classify: classify,
		Clock: e.clock, Random: c.Random, Log: e.log, Workers: c.Workers, Lease: c.Lease, Retry: c.Retry, SoleWorker: e.exclusive, Deliverer: deliverer,
		Observer: c.Observer, Intercept: func(tx Tx, enqueue func(queue.Job) error) Tx { return enqueuing{tx, enqueue} },
	}
}

// enqueuing is a Tx with another Enqueue.
type enqueuing struct {
	Tx
	enqueue func(queue.Job) error
}

func (tx enqueuing) Enqueue(j queue.Job) error { return tx.enqueue(j) }

// bind converts a handler to one of the queue.
func (e *Engine) bind(h *handler) queue.Handler[Tx] {
	out := queue.Handler[Tx]{
		Class: h.class, Tenant: "account", Attempts: h.attempts, Outages: h.outages,
		Run: func(ctx context.Context, a *queue.Attempt) (func(Tx) error, error) {
			return h.run(e, ctx, &work{e, a.Job, a})
		},
	}
	if h.class == queue.ClassDeliver {
		out.Tenant = "webhook" // see queueDelivery
	}
	if h.start != nil {
		out.Start = func(ctx context.Context, a *queue.Attempt) error { return h.start(e, ctx, &work{e, a.Job, a}) }
	}
	if h.failed != nil {
		out.Failed = func(tx Tx, j queue.Job, err error) error { return unlessDeleted(h.failed(e, tx, j, causeOf(err))) }
	}
	if h.retried != nil {
		out.Retried = func(tx Tx, j queue.Job, err error) error { return unlessDeleted(h.retried(e, tx, j, err)) }
	}
	return out
}

// unlessDeleted returns nil if the end of a job can't be written to its row because the row, or its recording, was deleted. Handlers read
// their rows before they write.
func unlessDeleted(err error) error {
	if CodeOf(err) == CodeNotFound {
		return nil
	}
	return err
}

// noSpacePause is the shortest wait after a full disk.
const noSpacePause = time.Minute

// classify tells the queue how to treat an error.
func classify(err error) queue.Failure {
	f := queue.Failure{NotFound: CodeOf(err) == CodeNotFound}
	var e *Error
	if errors.As(err, &e) {
		f.Retryable, f.RetryAfter, f.Outage = e.Retryable, e.RetryAfter, e.Outage
		if e.Code == CodeNoSpace { // somebody may free some
			f.Retryable, f.RetryAfter = true, max(f.RetryAfter, noSpacePause)
		}
	}
	return f
}

// causeOf returns why a job failed, with a message for its user.
func causeOf(err error) error {
	if errors.Is(err, queue.ErrAbandoned) {
		return Errorf(CodeInternal, "Run", "The job was abandoned because its workers kept stopping.").Because(err)
	}
	return err
}

// update is Store.Update that also wakes the queue and everything that waits for changes.
func (e *Engine) update(ctx context.Context, fn func(Tx) error) error { return e.queue.Update(ctx, fn) }

// Changes returns a channel that is closed at the next change that this process commits. To wait for a change, take the channel first,
// then read the state.
func (e *Engine) Changes() <-chan struct{} { return e.queue.Changes() }

// waitFor calls get until it returns done: after each change of this process, and every second if other processes may change rows.
// When ctx ends, the error says if Run has not been called.
func waitFor[T any](ctx context.Context, e *Engine, get func() (T, bool, error)) (T, error) {
	stop := e.warnIfForgotten()
	defer stop()
	for {
		changed := e.Changes()
		v, done, err := get()
		if err != nil && ctx.Err() != nil {
			return v, e.waitError(err)
		}
		if err != nil || done {
			return v, err
		}
		if err := e.awaitChange(ctx, changed); err != nil {
			return v, e.waitError(err)
		}
	}
}

// awaitChange waits until something may have changed, or returns the cause of ctx's end, or CodeUnavailable when the engine is closed.
func (e *Engine) awaitChange(ctx context.Context, changed <-chan struct{}) error {
	var look <-chan time.Time
	if !e.exclusive {
		timer := time.NewTimer(time.Second)
		defer timer.Stop()
		look = timer.C
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-e.lifetime.open.Done():
		return errClosed("Wait")
	case <-changed:
	case <-look:
	}
	return nil
}

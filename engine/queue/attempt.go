package queue

import (
	"context"
	"time"
)

// Attempt is one attempt of one job, in this process.
type Attempt struct {
	Job  Job  // the job when it was claimed; Job.Attempt counts from 1
	Last bool // no other attempt follows if this one fails, except because of an outage

	Began time.Time // when the attempt began, on the wall clock

	ctx     context.Context
	cancel  context.CancelCauseFunc
	start   func(context.Context) error
	run     func(context.Context) error
	release func() // releases the worker; idempotent
}

// Do starts and runs the work, and returns its error. It converts a panic to an error.
func (a *Attempt) Do(ctx context.Context) error {
	if err := a.start(ctx); err != nil {
		return err
	}
	return a.run(ctx)
}

// Start records that the work has begun, without running it.
func (a *Attempt) Start(ctx context.Context) error { return a.start(ctx) }

// Err returns nil while the attempt may continue, and then why it must stop: ErrShutdown, ErrCanceled, or ErrLostLease.
func (a *Attempt) Err() error { return context.Cause(a.ctx) }

// ReleaseWorker frees the worker for another job while the attempt continues. It is idempotent.
func (a *Attempt) ReleaseWorker() { a.release() }

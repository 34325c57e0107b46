package queue

import "context"

// Attempt is one attempt of one job, in this process.
type Attempt struct {
	Job  Job  // as it was claimed; Job.Attempt counts from 1
	Last bool // no other attempt follows if this one fails

	ctx     context.Context
	cancel  context.CancelCauseFunc
	start   func(context.Context) error
	run     func(context.Context) error
	release func() // gives the worker back; more than once does nothing
}

// Do starts and runs the work, and returns its error; a panic is an error too.
func (a *Attempt) Do(ctx context.Context) error {
	if err := a.start(ctx); err != nil {
		return err
	}
	return a.run(ctx)
}

// Start writes that the work has begun, and leaves it at that.
func (a *Attempt) Start(ctx context.Context) error { return a.start(ctx) }

// Err returns nil as long as the attempt may go on, then a reason for which it is to stop: ErrShutdown, ErrCanceled or ErrLostLease.
func (a *Attempt) Err() error { return context.Cause(a.ctx) }

// ReleaseWorker lets the worker take up another job although the attempt isn't over. More than once does nothing.
func (a *Attempt) ReleaseWorker() { a.release() }

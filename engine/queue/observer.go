package queue

import (
	"context"
	"time"
)

// Observer follows what a queue does. Its methods are called from several goroutines. For one attempt the order is Started, Work, Ended.
//
// A metric counts in Started and Ended, and measures around Attempt.Do in Work. A simulation delays jobs in Enqueued and attempts in
// Work, and learns from Idle and Woken when time may pass.
type Observer[R Reader] interface {
	// Enqueued is called for each job that is enqueued, in its transaction, before it is written. The job becomes due at the time that it
	// returns, j.RunAt for no change. ctx is the transaction's; an error fails the transaction.
	Enqueued(ctx context.Context, tx R, j Job) (due time.Time, err error)
	// Started is called when a worker has claimed a job, before anything of it is done and before any later Idle.
	Started(a *Attempt)
	// Work does the attempt: it returns what a.Do returns. It may do more. It may wait before it returns, until ctx is done, and call
	// a.ReleaseWorker first so that others can work meanwhile. It may end the attempt with another error. It may leave out the work: with
	// a.Start for a.Do the row says that the work has begun, and the error that Work returns is how it ended.
	Work(ctx context.Context, a *Attempt) error
	// Ended is called when an attempt is over and its worker is free: what it was, and what it enqueued, is written. event is what
	// happened to the job, "" if nothing could be written because the lease was lost or the store failed.
	Ended(a *Attempt, event Event)
	// Idle is called when the queue has nothing to do before a time, the zero time for until it is woken: no job is due that has a free
	// worker. Attempts may be running. It holds until Woken. The queue is locked meanwhile: Idle must not call it.
	Idle(next time.Time)
	// Woken is called when what Idle said may not hold any more: a transaction was committed, a worker became free, the time was
	// reached, or Run ends. The queue is locked meanwhile: Woken must not call it.
	Woken()
}

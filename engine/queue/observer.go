package queue

import (
	"context"
	"time"
)

// Observer follows the work of a queue. Several goroutines call its methods. For one attempt, the order is Started, Work,
// Ended. The next attempt of a job may start before Ended of the last one.
//
// A metric counts in Started and Ended, and measures Attempt.Do in Work. A simulation delays jobs in Enqueued and
// attempts in Work, and uses Idle and Woken to decide when time may advance.
type Observer[R Reader] interface {
	// Enqueued is called for each enqueued job, in its transaction, before the job is written. The job becomes due at the
	// returned time; return j.RunAt for no change. ctx is the transaction's. An error fails the transaction.
	Enqueued(ctx context.Context, tx R, j Job) (due time.Time, err error)
	// Started is called when a worker has claimed a job, before its work begins and before any later Idle.
	Started(a *Attempt)
	// Work does the attempt and returns the result of a.Do. It may do more: wait before it returns, until ctx is done,
	// after a.ReleaseWorker so that others can work; return another error; or replace the work, by calling a.Start
	// instead of a.Do. The returned error is the result of the attempt.
	Work(ctx context.Context, a *Attempt) error
	// Ended is called when an attempt has ended, its end and its enqueued jobs are written, and its worker is free. event
	// is the job's event, or "" if nothing could be written because the lease was lost or the store failed.
	Ended(a *Attempt, event Event)
	// Idle is called when no job is due that may start, until next, or until a wake-up if next is the zero time.
	// Attempts may be running. It is valid until Woken. The queue is locked: Idle must not call it.
	Idle(next time.Time)
	// Woken is called when Idle may no longer be valid: a transaction was committed, a worker became free, the time was
	// reached, or Run ends. The queue is locked: Woken must not call it.
	Woken()
}

// LeaseObserver is an optional ability of an Observer.
type LeaseObserver interface {
	// Expired is called when the lease of an attempt has expired: its process was killed, was frozen, or couldn't reach the store. The job is
	// written. An attempt that ends in its process without a result calls Ended there, and Expired here.
	Expired(j Job)
}

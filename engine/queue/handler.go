package queue

import (
	"context"
	"time"
)

// Handler says how jobs of a kind are done. Functions that may be nil say so.
type Handler[W Writer] struct {
	Class    Class
	Attempts int // most attempts of a job; Schedule replaces it
	// Schedule, if not nil, is how long to wait after each failed attempt, instead of RetryPolicy, whose Max doesn't count either. There
	// is one more attempt than it has waits.
	Schedule []time.Duration

	// Start writes that the work has begun. It is called before Run, in every attempt. May be nil.
	Start func(ctx context.Context, a *Attempt) error
	// Run does the work. finish, if not nil, is called in the transaction that completes the job, if the job is still this attempt's.
	Run func(ctx context.Context, a *Attempt) (finish func(W) error, err error)
	// Failed writes what becomes of the row when the job fails for good or is canceled, in the transaction that ends the job. May be nil.
	Failed func(tx W, j Job, err error) error
	// Retried writes what becomes of the row when an attempt failed and another one follows, in the transaction that says so. May be nil.
	Retried func(tx W, j Job, err error) error
}

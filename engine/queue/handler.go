package queue

import (
	"context"
	"time"
)

// Handler does the jobs of a kind. Functions that may be nil say so.
type Handler[W Writer] struct {
	Class    Class
	Tenant   string // what Job.Tenant identifies, as its name in the log: "account"; default "tenant"
	Attempts int    // maximum number of attempts; Schedule replaces it
	// Schedule, if not nil, lists the waits after failed attempts, and replaces RetryPolicy including its Max. A job has
	// one more attempt than Schedule has waits.
	Schedule []time.Duration

	// Outages says that the work needs a service that may restart, so that RetryPolicy.Outage applies.
	Outages bool

	// Start records that the work has begun. It is called before Run, in every attempt. May be nil.
	Start func(ctx context.Context, a *Attempt) error
	// Run does the work. If the attempt still has the job, finish is called in the transaction that completes it. finish may be nil.
	Run func(ctx context.Context, a *Attempt) (finish func(W) error, err error)
	// Failed updates the row when the job fails permanently or is canceled, in the transaction that ends the job. May be nil.
	Failed func(tx W, j Job, err error) error
	// Retried updates the row when an attempt failed and will be retried, in the transaction that schedules the retry. May be nil.
	Retried func(tx W, j Job, err error) error
}

package queue

import (
	"context"
	"time"
)

// Deliverer is an optional ability of a Store that several processes share: it delivers its jobs to them, so that none has to look for work.
// The row of a job stays the truth: a second delivery finds it claimed, and a lost one is found after a while.
type Deliverer interface {
	// Deliver calls work for jobs that are due, for at most workers[class] at once in this process. A delivery goes to one process. Deliver
	// returns when ctx is done and every call of work has returned. The context of work ends early, with the cause ErrCanceled, when
	// the job's cancel was requested in another process. If work returns an error, the job is delivered again.
	Deliver(ctx context.Context, workers map[Class]int, work func(context.Context, Delivery) error) error
	// Claim leases a job of the delivery's class to owner: of the jobs that are due, it chooses by fewest running jobs of the tenant, then
	// the delivered one, then by earliest RunAt. It increments Generation and Attempt. Times are the store's own. An error that is
	// NotFound means that no job is due.
	Claim(ctx context.Context, d Delivery, owner string, lease time.Duration) (Job, error)
}

// Delivery says that a job of a class is due. Job is the one it was sent for, or "". Number is the Deliverer's own.
type Delivery struct {
	Class  Class
	Job    ID
	Number int64
}

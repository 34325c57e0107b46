package queue

import (
	"context"
	"time"
)

// Store runs transactions on the rows of jobs. R and W are the transactions of the program: beside jobs they usually have its other rows.
type Store[R Reader, W Writer] interface {
	// View runs fn on one consistent snapshot.
	View(ctx context.Context, fn func(R) error) error
	// Update runs fn as one serialisable write: all of it is committed when Update returns nil, and nothing of it otherwise. fn may be
	// run more than once.
	Update(ctx context.Context, fn func(W) error) error
}

// Reader reads jobs. For a job that isn't there it returns an error of which [Config.Classify] says NotFound.
type Reader interface {
	Job(ID) (Job, error)
	// JobByKey returns the job of this Key that is not in a terminal status.
	JobByKey(key string) (Job, error)
	// NextJobAt returns the earliest time at which a waiting job becomes due or a lease runs out; ok is false when there is neither.
	// Only waiting jobs of the given classes count; leases of all classes do.
	NextJobAt(classes []Class) (at time.Time, ok bool, err error)
	// LeasedJobs returns every running job, oldest lease first.
	LeasedJobs() ([]Job, error)
	// WaitingJobs returns at most limit jobs that wait for their RunAt, of all classes: the earliest first, then by ID.
	WaitingJobs(limit int) ([]Job, error)
}

// Writer reads and writes jobs. What is enqueued in a transaction is committed with its rows, or not at all.
type Writer interface {
	Reader
	// Enqueue adds a job. A job with the same Key that is not in a terminal status makes it a no-op.
	Enqueue(Job) error
	// DueJob returns the waiting job of a class that should run next, or an error that is NotFound: of the jobs with RunAt ≤ now, the one
	// whose tenant has the fewest running jobs of the class, then the earliest RunAt, then the lowest ID.
	DueJob(class Class, now time.Time) (Job, error)
	PutJob(Job) error
}

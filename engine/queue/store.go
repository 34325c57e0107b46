package queue

import (
	"context"
	"time"
)

// Store runs transactions on jobs. R and W are the program's transaction types, which usually have its other rows too.
type Store[R Reader, W Writer] interface {
	// View runs fn on a consistent snapshot.
	View(ctx context.Context, fn func(R) error) error
	// Update runs fn as one serialisable write: it is committed if Update returns nil, and rolled back otherwise. fn may
	// run more than once.
	Update(ctx context.Context, fn func(W) error) error
}

// Reader reads jobs. For a missing job, it returns an error that [Config.Classify] classifies as NotFound.
type Reader interface {
	Job(ID) (Job, error)
	// JobByKey returns the job with this Key that is not in a terminal status.
	JobByKey(key string) (Job, error)
	// NextJobAt returns the earliest time at which a waiting job of the given classes becomes due, or a lease of any class expires. ok
	// is false if there is neither. Waiting jobs of the tenant that skip has for their class are ignored; skip may be nil.
	NextJobAt(classes []Class, skip map[Class]string) (at time.Time, ok bool, err error)
	// LeasedJobs returns every running job, oldest lease first.
	LeasedJobs() ([]Job, error)
	// WaitingJobs returns at most limit jobs of all classes that wait for their RunAt, sorted by RunAt and ID.
	WaitingJobs(limit int) ([]Job, error)
}

// Writer reads and writes jobs. Jobs that a transaction enqueues are committed with its rows, or not at all.
type Writer interface {
	Reader
	// Enqueue adds a job. It does nothing if a job with the same Key is not in a terminal status.
	Enqueue(Job) error
	// DueJob returns the job of a class to run next, or an error that is NotFound. Of the waiting jobs with RunAt ≤ now, it chooses by
	// fewest running jobs of the tenant in the class, then by earliest RunAt, then by lowest ID. Jobs of the tenant that skip has for
	// the class are ignored; skip may be nil.
	DueJob(class Class, now time.Time, skip map[Class]string) (Job, error)
	PutJob(Job) error
}

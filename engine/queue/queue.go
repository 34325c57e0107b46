package queue

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	mathrand "math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// Config configures a Queue. Store, Handlers, NewID, and Classify are required.
type Config[R Reader, W Writer] struct {
	Store    Store[R, W]
	Handlers map[Kind]Handler[W]
	NewID    func() ID
	Classify func(error) Failure

	Clock  Clock          // default: the wall clock
	Random func() float64 // for the jitter of retries, in [0,1); default: math/rand
	Log    *slog.Logger   // default: none
	// Workers are the concurrent jobs of each class; default DefaultWorkers. While one tenant has all workers of a class, of at
	// least 2, one job of another tenant may run in addition.
	Workers map[Class]int
	Lease   time.Duration // lease of a running job, renewed three times per lease; default 30 s
	Retry   RetryPolicy
	// SoleWorker promises that no other Queue works on the store. Then leases never expire and are not renewed, Run
	// immediately takes over what an earlier process left, and the store is read only when there is work.
	SoleWorker bool

	// Deliverer, if not nil, tells Run of due jobs, and claims them. Otherwise Run looks for them in the store. It can't be used with
	// SoleWorker.
	Deliverer Deliverer

	Observer Observer[R] // default none; with a Deliverer, Idle and Woken are not called
	// Intercept returns tx with its Enqueue replaced. It is used, and required, only with an Observer.
	Intercept func(tx W, enqueue func(Job) error) W
}

// Queue runs the jobs of a store. It is safe for concurrent use. It does no work until Run is called.
type Queue[R Reader, W Writer] struct {
	c       Config[R, W]
	retry   RetryPolicy
	owner   string      // identifies this process as an owner of leases
	unsaved atomic.Bool // a job's final state could not be saved

	wake  chan struct{} // has a token if there may be a due job
	freed chan struct{} // has a token if a worker became free

	mu      sync.Mutex
	changed chan struct{}   // closed at the next commit
	running map[ID]*Attempt // in this process
	pools   map[Class]*pool
	runs    bool // whether Run is running
	idle    bool // whether the last report to the Observer was Idle
	wakeups uint64
}

// New returns a Queue, or an error if the Config is not valid.
func New[R Reader, W Writer](c Config[R, W]) (*Queue[R, W], error) {
	if c.Store == nil || c.Handlers == nil || c.NewID == nil || c.Classify == nil {
		return nil, errors.New("queue: Store, Handlers, NewID, and Classify are required")
	}
	if c.Observer != nil && c.Intercept == nil {
		return nil, errors.New("queue: Observer needs Intercept")
	}
	if c.Deliverer != nil && c.SoleWorker {
		return nil, errors.New("queue: Deliverer and SoleWorker exclude each other")
	}
	if c.Clock == nil {
		c.Clock = SystemClock()
	}
	if c.Random == nil {
		c.Random = mathrand.Float64
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Workers == nil {
		c.Workers = DefaultWorkers()
	}
	if c.Lease <= 0 {
		c.Lease = 30 * time.Second
	}
	return &Queue[R, W]{
		c: c, retry: c.Retry.withDefaults(), owner: rand.Text(), wake: make(chan struct{}, 1), freed: make(chan struct{}, 1),
		changed: make(chan struct{}), running: map[ID]*Attempt{}, pools: newPools(c.Workers),
	}, nil
}

// now returns the queue's time in UTC, truncated to microseconds, the precision of all stores.
func (q *Queue[R, W]) now() time.Time { return q.c.Clock.Now().UTC().Truncate(time.Microsecond) }

// NewJob returns a job of a kind for the row ref, to be enqueued. tenant is its fairness key.
func (q *Queue[R, W]) NewJob(kind Kind, ref, tenant string, runAt time.Time) Job {
	return q.NewJobWithID(q.c.NewID(), kind, ref, tenant, runAt)
}

// NewJobWithID is NewJob with an id that no other job has.
func (q *Queue[R, W]) NewJobWithID(id ID, kind Kind, ref, tenant string, runAt time.Time) Job {
	now := q.now()
	return Job{
		ID: id, Key: Key(kind, ref), Kind: kind, Class: q.c.Handlers[kind].Class, Ref: ref, Tenant: tenant,
		Status: machine.Initial(), RunAt: runAt, CreatedAt: now, UpdatedAt: now,
	}
}

// Update is Store.Update for transactions that may enqueue or end a job. It also notifies the Observer, wakes Run, and closes Changes.
func (q *Queue[R, W]) Update(ctx context.Context, fn func(W) error) error {
	if err := q.c.Store.Update(ctx, q.observed(ctx, fn)); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	close(q.changed)
	q.changed = make(chan struct{})
	q.wakeRun(q.wake)
	return nil
}

// observed returns fn with transactions that call Observer.Enqueued, if there is an Observer.
func (q *Queue[R, W]) observed(ctx context.Context, fn func(W) error) func(W) error {
	if q.c.Observer == nil {
		return fn
	}
	return func(tx W) error {
		return fn(q.c.Intercept(tx, func(j Job) error {
			due, err := q.c.Observer.Enqueued(ctx, any(tx).(R), j)
			if err != nil {
				return err
			}
			j.RunAt = due.Truncate(time.Microsecond)
			return tx.Enqueue(j)
		}))
	}
}

// Notice closes Changes: another process has changed something.
func (q *Queue[R, W]) Notice() {
	q.mu.Lock()
	defer q.mu.Unlock()
	close(q.changed)
	q.changed = make(chan struct{})
}

// wakeRun sends a token to Run; mu is held.
func (q *Queue[R, W]) wakeRun(token chan struct{}) {
	q.wakeups++
	q.idle = false
	if q.c.Observer != nil {
		q.c.Observer.Woken()
	}
	select {
	case token <- struct{}{}:
	default:
	}
}

// Changes returns a channel that is closed at the next commit of Update. To wait for a change, get the channel before reading.
func (q *Queue[R, W]) Changes() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.changed
}

// Fenced is Update for an attempt. Unless the attempt still has the job, it writes nothing and returns ErrLostLease.
func (q *Queue[R, W]) Fenced(ctx context.Context, a *Attempt, fn func(W) error) error {
	return q.Update(ctx, func(tx W) error {
		if _, err := fence(tx, a.Job); err != nil {
			return err
		}
		return fn(tx)
	})
}

// fence returns the current row of a claimed job, or ErrLostLease.
func fence(tx Reader, claimed Job) (Job, error) {
	j, err := tx.Job(claimed.ID)
	if err != nil {
		return Job{}, err
	}
	if j.Generation != claimed.Generation || j.Status != Running {
		return Job{}, ErrLostLease
	}
	return j, nil
}

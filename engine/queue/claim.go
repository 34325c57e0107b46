package queue

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// claim leases the next job of the class, if one is due, and starts its attempt. It skips jobs of the tenant that skip has for
// the class.
func (r *runner[R, W]) claim(ctx context.Context, class Class, skip map[Class]string) error {
	var j Job
	now := r.now()
	err := r.c.Store.Update(ctx, func(tx W) (err error) {
		if j, err = tx.DueJob(class, now, skip); err != nil {
			return err
		}
		if err := j.apply(Claimed); err != nil {
			return err
		}
		j.Generation++
		j.Attempt++
		j.LeaseOwner, j.LeaseUntil, j.UpdatedAt = r.owner, r.leaseFrom(now), now
		return tx.PutJob(j)
	})
	if err != nil && r.c.Classify(err).NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	t := r.begin(ctx, j)
	r.jobs.Go(func() { r.do(ctx, t) })
	return nil
}

// begin registers the attempt of a claimed job.
func (r *runner[R, W]) begin(ctx context.Context, j Job) *attempt[W] {
	t := r.newAttempt(ctx, j)
	r.mu.Lock()
	r.pools[j.Class].take(j.Tenant)
	r.running[j.ID] = &t.Attempt
	r.mu.Unlock()
	if r.c.Observer != nil {
		r.c.Observer.Started(&t.Attempt)
	}
	return t
}

// attempt is an Attempt and the function that writes its result.
type attempt[W Writer] struct {
	Attempt
	finish func(W) error
	values context.Context // of the work, for the values that an Observer gave it; nil before
}

func (q *Queue[R, W]) newAttempt(ctx context.Context, j Job) *attempt[W] {
	h, known := q.c.Handlers[j.Kind]
	t := &attempt[W]{Attempt: Attempt{Job: j, Last: j.Attempt-j.Outages >= q.attempts(h), Began: time.Now()}}
	t.ctx, t.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	t.release = sync.OnceFunc(func() { q.release(j.Class, j.Tenant) })
	t.start = func(ctx context.Context) (err error) {
		defer q.recoverPanic(j, &err)
		switch {
		case !known:
			return unknownKindError(j.Kind)
		case h.Start == nil:
			return nil
		}
		return h.Start(ctx, &t.Attempt)
	}
	t.run = func(ctx context.Context) (err error) {
		defer q.recoverPanic(j, &err)
		t.values = ctx
		t.finish, err = h.Run(ctx, &t.Attempt)
		return err
	}
	return t
}

// unknownKindError is the error of a job whose kind has no Handler.
type unknownKindError Kind

func (e unknownKindError) Error() string { return fmt.Sprintf("queue: unknown job kind %q", string(e)) }

// unknownPause is the wait for a worker that knows the kind of a job.
const unknownPause = 30 * time.Second

// leavesToOthers reports whether a job is for another worker, because this one doesn't know its kind: while a new version replaces an old one
// process by process, workers of both run. After many claims, it is for nobody.
func (q *Queue[R, W]) leavesToOthers(j Job, err error) bool {
	var unknown unknownKindError
	return errors.As(err, &unknown) && !q.c.SoleWorker && j.Generation < maxGenerations
}

// recoverPanic converts a handler's panic to an error of its job.
func (q *Queue[R, W]) recoverPanic(j Job, err *error) {
	if p := recover(); p != nil {
		q.logOf(j).Error("job panicked", "panic", p, "stack", string(debug.Stack()))
		*err = fmt.Errorf("%s: panic: %v", j.Kind, p)
	}
}

// release frees a worker that a tenant has.
func (q *Queue[R, W]) release(class Class, tenant string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pools[class].release(tenant)
	q.wakeRun(q.freed)
}

// do runs an attempt and settles it.
func (r *runner[R, W]) do(ctx context.Context, t *attempt[W]) {
	var event Event
	defer func() {
		t.ReleaseWorker()
		r.end(&t.Attempt, event)
		t.cancel(nil)
	}()
	stop := context.AfterFunc(ctx, func() { t.cancel(ErrShutdown) })
	defer stop()
	unwatch := r.watch(&t.Attempt)
	err := r.work(t)
	unwatch()
	if t.values != nil {
		ctx = t.values
	}
	event = r.settle(ctx, t, err)
}

func (q *Queue[R, W]) work(t *attempt[W]) error {
	if q.c.Observer != nil {
		return q.c.Observer.Work(t.ctx, &t.Attempt)
	}
	return t.Do(t.ctx)
}

func (q *Queue[R, W]) end(a *Attempt, event Event) {
	q.mu.Lock()
	if q.running[a.Job.ID] == a { // the next attempt may have begun
		delete(q.running, a.Job.ID)
	}
	q.mu.Unlock()
	if q.c.Observer != nil {
		q.c.Observer.Ended(a, event)
	}
}

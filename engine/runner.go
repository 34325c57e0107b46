package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// The causes for which a running job's context ends.
var (
	errShutdown        = Errorf(CodeCanceled, "Run", "The server is shutting down.")
	errCancelRequested = Errorf(CodeCanceled, "CancelJob", "The operation was canceled.")
	errLostLease       = errors.New("the job's lease was lost")
)

// settleTimeout bounds the last write of a job, which happens even when its context is over.
const settleTimeout = 10 * time.Second

// work is one try of one job.
type work struct {
	e      *Engine
	job    Job
	timing Timing
}

// update is Store.Update, fenced: it fails with errLostLease, and writes nothing, unless the job is still this try's.
func (w *work) update(ctx context.Context, fn func(Tx) error) error {
	return w.e.update(ctx, func(tx Tx) error {
		if _, err := w.fence(tx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// fence returns the job's row as it is now.
func (w *work) fence(tx ReadTx) (Job, error) {
	j, err := tx.Job(w.job.ID)
	if err != nil {
		return Job{}, err
	}
	if j.Generation != w.job.Generation || j.Status != JobRunning {
		return Job{}, errLostLease
	}
	return j, nil
}

// Run does the engine's work until ctx is done: it takes up jobs, keeps their leases, takes over those whose worker is
// gone, and repeats those that failed. It returns when every job that it runs has stopped and its row says so; jobs that
// were stopped by the end of ctx wait for the next Run. Several processes may run on one Store unless it is exclusive.
func (e *Engine) Run(ctx context.Context) error {
	r := &runner{e: e, busy: map[JobClass]int{}, freed: make(chan struct{}, 1)}
	defer r.jobs.Wait()
	if e.exclusive {
		if err := r.releaseAll(ctx); err != nil && ctx.Err() == nil {
			return wrap("Run", err)
		}
	}
	e.mu.Lock()
	e.rest.runners++
	e.mu.Unlock()
	defer e.leave()
	for ctx.Err() == nil {
		seen := r.catchUp()
		at, err := r.dispatch(ctx)
		if err != nil && ctx.Err() == nil {
			e.log.Error("jobs can't be dispatched", "err", err)
			e.stray.Store(true)
			r.pause(ctx, time.Second)
			continue
		}
		r.wait(ctx, at, seen)
	}
	return nil
}

// catchUp returns how many pokes there were, and takes what they woke the runner with: a token that is older than what it knows would end
// a wait, and its timer, just when others have seen that it waits.
func (r *runner) catchUp() uint64 {
	r.e.mu.Lock()
	defer r.e.mu.Unlock()
	select {
	case <-r.e.wake:
	default:
	}
	select {
	case <-r.freed:
	default:
	}
	return r.e.rest.pokes
}

// wait returns when there may be something to do: at the time at, if that isn't zero, when it is woken, or when it is time to look at
// what others may have done.
func (r *runner) wait(ctx context.Context, at time.Time, seen uint64) {
	e := r.e
	var due <-chan time.Time
	now := e.now()
	if !at.IsZero() {
		if !at.After(now) {
			return
		}
		timer := e.clock.NewTimer(at.Sub(now))
		defer timer.Stop()
		due = timer.C()
	}
	var look <-chan time.Time
	if !e.alone || e.stray.Load() {
		timer := e.house.NewTimer(idle)
		defer timer.Stop()
		look = timer.C()
	}
	e.park(at, seen)
	defer e.unpark()
	select {
	case <-ctx.Done():
	case <-e.wake:
	case <-r.freed:
	case <-due:
	case <-look:
		r.look = true
	}
}

// pause lets time pass, but not beyond ctx.
func (r *runner) pause(ctx context.Context, d time.Duration) {
	timer := r.e.house.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C():
	}
}

// runner is one call of Run.
type runner struct {
	e     *Engine
	jobs  sync.WaitGroup
	freed chan struct{} // has a token when a worker has become free
	look  bool          // whether it is time to look for jobs that nobody does

	mu   sync.Mutex
	busy map[JobClass]int
}

// idle is the longest time between two looks at the queue, for jobs that other processes enqueue and leases that they lose. Where there
// are no others, only what this process couldn't write is looked for.
const idle = 10 * time.Second

// dispatch starts every job that is due and has a worker, and returns when the next one is: the zero time when there is none.
func (r *runner) dispatch(ctx context.Context) (time.Time, error) {
	classes := r.free()
	var at time.Time
	var ok bool
	err := r.e.store.View(ctx, func(tx ReadTx) (err error) {
		at, ok, err = tx.NextJobAt(classes)
		return err
	})
	if ok = ok && at.Before(never); r.e.alone && r.look {
		r.look = false
		r.e.stray.Store(false)
		err = errors.Join(err, r.expireLeases(ctx)) // which Run remembers as stray
	}
	if err != nil || !ok {
		return time.Time{}, err
	}
	if at.After(r.e.now()) {
		return at, nil
	}
	if err := r.expireLeases(ctx); err != nil {
		return at, err
	}
	for _, class := range classes {
		if err := r.claim(ctx, class); err != nil {
			return at, err
		}
	}
	return at, nil
}

// free returns the classes that have a free worker.
func (r *runner) free() []JobClass {
	r.mu.Lock()
	defer r.mu.Unlock()
	var classes []JobClass
	for class, workers := range r.e.workers {
		if r.busy[class] < workers {
			classes = append(classes, class)
		}
	}
	slices.Sort(classes)
	return classes
}

// claim leases the next job of the class, if one is due, and starts it.
func (r *runner) claim(ctx context.Context, class JobClass) error {
	var j Job
	now := r.e.now()
	err := r.e.store.Update(ctx, func(tx Tx) (err error) {
		if j, err = tx.DueJob(class, now); err != nil {
			return err
		}
		if err := j.apply(JobClaimed); err != nil {
			return err
		}
		j.Generation++
		j.Attempt++
		j.LeaseOwner, j.LeaseUntil, j.UpdatedAt = r.e.boot, r.e.leaseFrom(now), now
		return tx.PutJob(j)
	})
	if CodeOf(err) == CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.busy[class]++
	r.mu.Unlock()
	t := r.e.begin(ctx, j)
	t.free = sync.OnceFunc(func() { r.release(class) })
	r.jobs.Go(func() { r.do(ctx, t) })
	return nil
}

// release gives a worker back.
func (r *runner) release(class JobClass) {
	r.mu.Lock()
	r.busy[class]--
	r.mu.Unlock()
	r.e.mu.Lock()
	defer r.e.mu.Unlock()
	r.e.rest.poked()
	select {
	case r.freed <- struct{}{}:
	default:
	}
}

// do runs one try of a job to its end.
func (r *runner) do(ctx context.Context, t *try) {
	e := r.e
	defer t.cancel(nil)
	defer e.end(t)
	defer t.free()
	stop := context.AfterFunc(ctx, func() { t.cancel(errShutdown) })
	defer stop()

	w := &work{e: e, job: t.job}
	var beats sync.WaitGroup
	beatCtx, stopBeats := context.WithCancel(t.ctx)
	if e.alone {
		w.heed(t)
	} else {
		beats.Go(func() { w.beat(beatCtx, t.cancel) })
	}
	finish, err := w.try(t)
	stopBeats()
	beats.Wait()

	if err == nil {
		if err = w.settle(ctx, func(tx Tx, j Job) error {
			if finish != nil {
				if err := finish(tx); err != nil {
					return err
				}
			}
			return e.endJob(tx, j, JobFinished, nil)
		}); err == nil {
			e.told(t.job, false)
			return
		}
	}
	w.settleError(ctx, err, context.Cause(t.ctx))
	e.told(t.job, false)
}

// perform calls the job's handler; a panic in it is an error of the job, not the end of the process.
func (e *Engine) perform(ctx context.Context, w *work) (finish func(Tx) error, err error) {
	defer func() {
		if p := recover(); p != nil {
			e.log.Error("job panicked", "kind", w.job.Kind, "ref", w.job.Ref, "panic", p, "stack", string(debug.Stack()))
			err = &Error{Code: CodeInternal, Op: string(w.job.Kind), Err: fmt.Errorf("panic: %v", p)}
		}
	}()
	h, ok := e.handlers[w.job.Kind]
	if !ok {
		return nil, Errorf(CodeInternal, "Run", "Nothing is known of jobs of kind %q.", w.job.Kind)
	}
	return h.run(e, ctx, w)
}

// settle is the job's last write: fenced, and carried out even during a shutdown.
func (w *work) settle(ctx context.Context, fn func(Tx, Job) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
	defer cancel()
	return w.e.update(ctx, func(tx Tx) error {
		j, err := w.fence(tx)
		if err != nil {
			return err
		}
		return fn(tx, j)
	})
}

// settleError writes what becomes of a try that didn't succeed; cause says why its context ended, if it did.
func (w *work) settleError(ctx context.Context, err, cause error) {
	e := w.e
	log := e.log.With("kind", w.job.Kind, "ref", w.job.Ref, "generation", w.job.Generation)
	if errors.Is(err, errLostLease) || errors.Is(cause, errLostLease) {
		log.Warn("result dropped: the lease was lost")
		return
	}
	err = w.settle(ctx, func(tx Tx, j Job) error {
		switch {
		case errors.Is(cause, errCancelRequested) || errors.Is(err, errCancelRequested) || j.CancelRequested:
			return e.endJob(tx, j, JobStopped, errCancelRequested)
		case errors.Is(cause, errShutdown):
			return w.giveBack(tx, j)
		case retryable(err) && j.Attempt < e.attempts(j.Kind):
			log.Info("job will be tried again", "attempt", j.Attempt, "err", err)
			if retried := e.handlers[j.Kind].retried; retried != nil {
				if err := retried(e, tx, j, err); err != nil {
					return err
				}
			}
			return w.tryAgain(tx, j, err)
		default:
			log.Warn("job failed", "attempt", j.Attempt, "err", err)
			return e.endJob(tx, j, JobExhausted, err)
		}
	})
	if err != nil {
		log.Error("the end of a job could not be written; its lease will expire", "err", err)
		e.stray.Store(true)
	}
}

// giveBack returns the lease without counting the try.
func (w *work) giveBack(tx Tx, j Job) error {
	if err := j.apply(JobReleased); err != nil {
		return err
	}
	j.Attempt--
	j.LeaseOwner, j.LeaseUntil, j.UpdatedAt = "", time.Time{}, w.e.now()
	return tx.PutJob(j)
}

// tryAgain puts the job back for later.
func (w *work) tryAgain(tx Tx, j Job, err error) error {
	if err := j.apply(JobErrored); err != nil {
		return err
	}
	now := w.e.now()
	j.RunAt = now.Add(w.e.pause(j, err)).Truncate(time.Microsecond)
	j.LeaseOwner, j.LeaseUntil, j.UpdatedAt, j.LastError = "", time.Time{}, now, err.Error()
	return tx.PutJob(j)
}

// pause is how long a job waits after a failed try. Waits of a schedule are spread by a tenth to either side, so that what failed
// together is not repeated together.
func (e *Engine) pause(j Job, err error) time.Duration {
	random := e.random()
	wait := e.retry.delay(j.Attempt, random)
	if schedule := e.handlers[j.Kind].schedule; schedule != nil {
		wait = time.Duration(float64(schedule(e)[j.Attempt-1]) * (0.9 + 0.2*random))
	}
	var asked *Error
	if errors.As(err, &asked) {
		wait = max(wait, asked.RetryAfter)
	}
	return wait
}

func (e *Engine) attempts(kind JobKind) int {
	h := e.handlers[kind]
	switch {
	case h.schedule != nil:
		return len(h.schedule(e)) + 1
	case e.retry.Max > 0:
		return min(e.retry.Max, h.attempts)
	}
	return h.attempts
}

func retryable(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Retryable
}

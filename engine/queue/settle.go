package queue

import (
	"context"
	"errors"
	"time"
)

// settleTimeout limits the last write of an attempt, which happens even if its context is done.
const settleTimeout = 10 * time.Second

// settle writes the end of an attempt, and returns the job's event, or "" if nothing could be written.
func (q *Queue[R, W]) settle(ctx context.Context, t *attempt[W], err error) Event {
	if err != nil {
		return q.settleError(ctx, &t.Attempt, err, q.c.Classify(err))
	}
	var refused error // by finish
	err = q.lastWrite(ctx, t.Job, func(tx W, j Job) error {
		if refused = nil; t.finish != nil {
			refused = t.finish(tx)
		}
		if refused != nil {
			return refused
		}
		return q.endJob(tx, j, Finished, nil)
	})
	if err == nil {
		q.logOf(t.Job).Debug("job completed", "duration", time.Since(t.Began))
		return Finished
	}
	failure := q.c.Classify(err)
	if refused == nil || !errors.Is(err, refused) {
		failure.Retryable = true // the work is done, and only the store failed, which may be why finish did
	}
	return q.settleError(ctx, &t.Attempt, err, failure)
}

// lastWrite is a fenced write that also works during a shutdown.
func (q *Queue[R, W]) lastWrite(ctx context.Context, claimed Job, fn func(W, Job) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
	defer cancel()
	return q.Update(ctx, func(tx W) error {
		j, err := fence(tx, claimed)
		if err != nil {
			return err
		}
		return fn(tx, j)
	})
}

// settleError writes the end of an attempt that failed.
func (q *Queue[R, W]) settleError(ctx context.Context, a *Attempt, err error, failure Failure) (event Event) {
	log, cause := q.logOf(a.Job).With("duration", time.Since(a.Began)), a.Err()
	if errors.Is(err, ErrLostLease) || errors.Is(cause, ErrLostLease) {
		log.Warn("result dropped: lease lost")
		return ""
	}
	written := q.lastWrite(ctx, a.Job, func(tx W, j Job) error {
		switch {
		case errors.Is(cause, ErrCanceled) || errors.Is(err, ErrCanceled) || j.CancelRequested:
			event = Stopped
			return q.endJob(tx, j, event, ErrCanceled)
		case errors.Is(cause, ErrShutdown):
			event = Released
			return q.releaseLease(tx, j)
		case q.leavesToOthers(j, err):
			event = Released
			j.RunAt, j.LastError = q.now().Add(unknownPause), err.Error()
			return q.releaseLease(tx, j)
		}
		if failure.Outage && q.c.Handlers[j.Kind].Outages {
			j.Outages++
		}
		if q.mayRetry(j, failure) {
			event = Errored
			return q.retryLater(tx, j, err, failure)
		}
		event = Exhausted
		return q.endJob(tx, j, event, err)
	})
	if written != nil {
		log.Error("the end of a job could not be written; the job will run again", "err", written)
		q.unsaved.Store(true)
		return ""
	}
	if event == Released && cause == nil {
		log.Warn("job left to another worker", "err", err)
		return event
	}
	logEnd(log, event, err)
	return event
}

// endJob writes the end of a job, and updates its row if the job didn't succeed.
func (q *Queue[R, W]) endJob(tx W, j Job, event Event, cause error) error {
	if err := j.apply(event); err != nil {
		return err
	}
	j.LeaseOwner, j.LeaseUntil, j.UpdatedAt = "", time.Time{}, q.now()
	if cause != nil {
		j.LastError = cause.Error()
		if failed := q.c.Handlers[j.Kind].Failed; failed != nil {
			if err := failed(tx, j, cause); err != nil {
				return err
			}
		}
	}
	return tx.PutJob(j)
}

// releaseLease releases the lease without counting the attempt.
func (q *Queue[R, W]) releaseLease(tx W, j Job) error {
	if err := j.apply(Released); err != nil {
		return err
	}
	j.Attempt--
	j.LeaseOwner, j.LeaseUntil, j.UpdatedAt = "", time.Time{}, q.now()
	return tx.PutJob(j)
}

// retryLater schedules another attempt.
func (q *Queue[R, W]) retryLater(tx W, j Job, cause error, failure Failure) error {
	if retried := q.c.Handlers[j.Kind].Retried; retried != nil {
		if err := retried(tx, j, cause); err != nil {
			return err
		}
	}
	if err := j.apply(Errored); err != nil {
		return err
	}
	now := q.now()
	j.RunAt = now.Add(q.pause(j, failure)).Truncate(time.Microsecond)
	j.LeaseOwner, j.LeaseUntil, j.UpdatedAt, j.LastError = "", time.Time{}, now, cause.Error()
	return tx.PutJob(j)
}

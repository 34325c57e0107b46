package engine

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// Timing is how a job goes in simulated time.
type Timing struct {
	Wait time.Duration // from when it is enqueued to when it may begin
	Take time.Duration // of a try at least, from when it begins to when its end is written
	// Fail, if not nil, ends the try as if its work had failed with it: for good unless it is Retryable; of CodeCanceled, as if a
	// cancel had been asked for. The work isn't done.
	Fail *Error
}

// Pace says how long jobs wait before they are begun and how long they take at least, on the engine's clock. A job that has done its
// work and only waits for the clock takes no worker's time, and ends at once when it is canceled. Jobs of ClassDeliver and ClassMaintain
// are not paced.
type Pace interface {
	// Timing is asked when a job is enqueued, in the transaction that does so, for Wait: its Status is JobQueued. It is asked when a try
	// of it begins, for Take and Fail: its Status is JobRunning, and Attempt counts from 1. Of a transcription it is asked once more as
	// soon as the length of the media is known and stands in the Transcript's row. ctx is the transaction's. An error fails what asked.
	Timing(ctx context.Context, tx ReadTx, j Job) (Timing, error)
}

// isPaced reports whether a Pace is asked about a job.
func (e *Engine) isPaced(j Job) bool {
	return e.pace != nil && j.Class != ClassDeliver && j.Class != ClassMaintain
}

// pacedTx delays what is enqueued.
type pacedTx struct {
	Tx
	e   *Engine
	ctx context.Context
}

// paced is fn with a Tx that delays what is enqueued, if there is a Pace.
func (e *Engine) paced(ctx context.Context, fn func(Tx) error) func(Tx) error {
	if e.pace == nil {
		return fn
	}
	return func(tx Tx) error { return fn(pacedTx{tx, e, ctx}) }
}

// Enqueue adds a job that waits as long as its Timing says.
func (tx pacedTx) Enqueue(j Job) error {
	if tx.e.isPaced(j) {
		timing, err := tx.e.pace.Timing(tx.ctx, tx.Tx, j)
		if err != nil {
			return err
		}
		j.RunAt = j.RunAt.Add(max(0, timing.Wait)).Truncate(time.Microsecond)
	}
	return tx.Tx.Enqueue(j)
}

// askPace asks how this try goes.
func (w *work) askPace(ctx context.Context) error {
	if !w.e.isPaced(w.job) {
		return nil
	}
	return w.e.store.View(ctx, func(tx ReadTx) (err error) {
		w.timing, err = w.e.pace.Timing(ctx, tx, w.job)
		return err
	})
}

// paceOf asks anew when the media of a transcription is known, whose length it writes down for that.
func (w *work) paceOf(ctx context.Context, info MediaInfo) error {
	if !w.e.isPaced(w.job) {
		return nil
	}
	err := w.update(ctx, func(tx Tx) error {
		t, err := tx.Transcript(TranscriptID(w.job.Ref))
		if err != nil {
			return err
		}
		t.Duration = info.Duration.Round(time.Millisecond)
		return tx.PutTranscript(t)
	})
	if err == nil {
		err = w.askPace(ctx)
	}
	if err == nil && w.timing.Fail != nil {
		err = w.timing.Fail
	}
	return err
}

// try does the work of a job, or simulates that it fails, and lingers until it has taken as long as it should.
func (w *work) try(t *try) (finish func(Tx) error, err error) {
	e := w.e
	begun := e.now()
	if err := w.askPace(t.ctx); err != nil {
		return nil, err
	}
	if w.timing.Fail == nil {
		finish, err = e.perform(t.ctx, w)
	} else if start := e.handlers[w.job.Kind].start; start != nil {
		err = start(e, t.ctx, w)
	}
	if errors.Is(err, errLostLease) || w.timing.Take <= 0 {
		return finish, w.failed(err)
	}
	if stopped := e.linger(t, begun.Add(w.timing.Take)); stopped != nil {
		return nil, stopped
	}
	return finish, w.failed(err)
}

// failed is how a try ends: as its work did, or as its Timing says.
func (w *work) failed(err error) error {
	switch {
	case err != nil || w.timing.Fail == nil:
		return err
	case w.timing.Fail.Code == CodeCanceled:
		return errCancelRequested
	}
	return w.timing.Fail
}

// linger returns when the clock shows a time and everything that was to end before this try has ended, or with the cause for which the
// try is to stop.
func (e *Engine) linger(t *try, until time.Time) error {
	if now := e.now(); now.Before(until) && t.ctx.Err() == nil {
		e.told(t.job, true)
		timer := e.clock.NewTimer(until.Sub(now))
		defer timer.Stop()
		t.free()
		e.lingers(t, until)
		select {
		case <-t.ctx.Done():
		case <-timer.C():
		}
	}
	for {
		moved, mine := e.turn(t)
		if mine || t.ctx.Err() != nil {
			return context.Cause(t.ctx)
		}
		select {
		case <-t.ctx.Done():
		case <-moved:
		}
	}
}

// turn reports whether a try that has waited for the clock is the first of those whose time has come, and returns what is closed when
// that may change. Tries that end at the same time do so one after another, always in the same order.
func (e *Engine) turn(t *try) (moved <-chan struct{}, mine bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, other := range e.running {
		if !other.until.IsZero() && cmp.Or(other.until.Compare(t.until), other.job.RunAt.Compare(t.job.RunAt), cmp.Compare(other.job.ID, t.job.ID)) < 0 {
			return e.rest.moved, false
		}
	}
	return e.rest.moved, true
}

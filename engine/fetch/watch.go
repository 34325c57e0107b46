package fetch

import (
	"context"
	"errors"
	"time"
)

var (
	errIdle = errors.New("no byte arrived within the idle timeout")
	errWall = errors.New("the download took longer than its size allows")
)

// watch cancels an attempt that stalls and a download that takes too long; the cause of the context says which. It uses
// the system clock and not an engine.Clock, because network peers run in real time.
type watch struct {
	parent  context.Context
	ctx     context.Context // of the whole download
	attempt context.Context // of the current attempt
	cancel  context.CancelCauseFunc
	hangUp  context.CancelCauseFunc // ends the attempt
	start   time.Time
	idle    *time.Timer
	wall    *time.Timer
	cfg     Config
}

// newWatch starts the total timeout and the first attempt.
func newWatch(parent context.Context, cfg Config) *watch {
	ctx, cancel := context.WithCancelCause(parent)
	w := &watch{parent: parent, ctx: ctx, cancel: cancel, start: time.Now(), cfg: cfg}
	w.wall = time.AfterFunc(cfg.WallTimeout, func() { cancel(errWall) })
	w.startAttempt()
	return w
}

// startAttempt starts another attempt, with an idle timeout of its own.
func (w *watch) startAttempt() {
	if w.attempt != nil {
		w.idle.Stop()
		w.hangUp(context.Canceled)
	}
	attempt, hangUp := context.WithCancelCause(w.ctx)
	w.attempt, w.hangUp = attempt, hangUp
	w.idle = time.AfterFunc(w.cfg.IdleTimeout, func() { hangUp(errIdle) })
	w.idle.Stop()
}

// stop stops the timers and cancels the requests.
func (w *watch) stop() {
	w.wall.Stop()
	w.idle.Stop()
	w.cancel(context.Canceled)
}

// waiting starts the idle timer and arrived stops it, so that our own processing time doesn't count.
func (w *watch) waiting() { w.idle.Reset(w.cfg.IdleTimeout) }
func (w *watch) arrived() { w.idle.Stop() }

// allow extends the total timeout for a download of this size.
func (w *watch) allow(size int64) {
	whole, rest := size/w.cfg.MinRate, size%w.cfg.MinRate
	d := time.Duration(whole)*time.Second + time.Duration(rest)*time.Second/time.Duration(w.cfg.MinRate)
	if d > w.cfg.WallTimeout {
		w.wall.Reset(d - time.Since(w.start))
	}
}

// pause waits between two attempts. It returns an error if the download ends first.
func (w *watch) pause(d time.Duration) error {
	timer := w.cfg.Clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return nil
	case <-w.ctx.Done():
		return w.contextError()
	}
}

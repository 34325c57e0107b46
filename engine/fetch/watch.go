package fetch

import (
	"context"
	"errors"
	"time"
)

var (
	errIdle = errors.New("no byte came within the idle timeout")
	errWall = errors.New("the download took longer than its size allows")
)

// watch cancels a try that stalls and a download that takes too long; the cause of its context says which. It uses the
// system's time and not an engine.Clock, because the other side of the network does.
type watch struct {
	parent context.Context
	ctx    context.Context // of the download
	try    context.Context // of its try that is on its way
	cancel context.CancelCauseFunc
	hangUp context.CancelCauseFunc // ends the try
	start  time.Time
	idle   *time.Timer
	wall   *time.Timer
	cfg    Config
}

// newWatch starts the wall clock, and the first try.
func newWatch(parent context.Context, cfg Config) *watch {
	ctx, cancel := context.WithCancelCause(parent)
	w := &watch{parent: parent, ctx: ctx, cancel: cancel, start: time.Now(), cfg: cfg}
	w.wall = time.AfterFunc(cfg.WallTimeout, func() { cancel(errWall) })
	w.again()
	return w
}

// again starts another try, which may stall on its own account.
func (w *watch) again() {
	if w.try != nil {
		w.idle.Stop()
		w.hangUp(context.Canceled)
	}
	try, hangUp := context.WithCancelCause(w.ctx)
	w.try, w.hangUp = try, hangUp
	w.idle = time.AfterFunc(w.cfg.IdleTimeout, func() { hangUp(errIdle) })
	w.idle.Stop()
}

// stop ends the watch and the requests.
func (w *watch) stop() {
	w.wall.Stop()
	w.idle.Stop()
	w.cancel(context.Canceled)
}

// waiting starts the idle timer, arrived stops it: the time in which we are busy ourselves doesn't count.
func (w *watch) waiting() { w.idle.Reset(w.cfg.IdleTimeout) }
func (w *watch) arrived() { w.idle.Stop() }

// allow sets the wall clock for a download of this size.
func (w *watch) allow(size int64) {
	whole, rest := size/w.cfg.MinRate, size%w.cfg.MinRate
	d := time.Duration(whole)*time.Second + time.Duration(rest)*time.Second/time.Duration(w.cfg.MinRate)
	if d > w.cfg.WallTimeout {
		w.wall.Reset(d - time.Since(w.start))
	}
}

// pause waits between two tries, and returns the error of a download that is over before.
func (w *watch) pause(d time.Duration) error {
	timer := w.cfg.Clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return nil
	case <-w.ctx.Done():
		return w.ended()
	}
}

package emulator

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

// worldTime is the time of a world, and who moves it.
type worldTime struct {
	clock  *clock.Clock
	moving chan struct{} // has room for whoever moves the clock
	set    chan struct{} // has a token when the clock was set anew
	bound  time.Duration // real time that an advance waits for each thing that happens
	poll   time.Duration // real time that a poll waits for real work

	wall atomic.Bool // whether webhooks are signed with this machine's time

	mu    sync.Mutex
	fired *[]control.Fired // where an advance notes what happens; nil when there is none
	seen  map[string]bool  // what has been polled
}

// newTime sets the clock of a world; that of one that begins with a state begins where that was.
func newTime(o Options, begin *state) (*worldTime, error) {
	setting, err := o.clockSetting()
	if err != nil {
		return nil, err
	}
	if begin != nil {
		setting.Now = begin.clock.Now
	}
	c, err := clock.New(setting)
	t := &worldTime{
		clock: c, moving: make(chan struct{}, 1), set: make(chan struct{}, 1), bound: o.AdvanceWait, poll: o.PollWait, seen: map[string]bool{},
	}
	t.wall.Store(o.WebhookTime == WebhookWall)
	return t, err
}

// signBy says with which time webhooks are signed, "wall" or "virtual".
func (t *worldTime) signBy(which string) error {
	t.wall.Store(which == string(WebhookWall))
	return nil
}

// signing is the time that a webhook is signed with now.
func (t *worldTime) signing() time.Time {
	if t.wall.Load() {
		return time.Now()
	}
	return t.clock.Now()
}

// lock waits until nobody else moves the clock; the error is ctx's.
func (t *worldTime) lock(ctx context.Context) error {
	select {
	case t.moving <- struct{}{}:
		return nil
	case <-ctx.Done():
		return engine.Errorf(engine.CodeUnavailable, "Advance", "Another request is moving the clock.").Because(context.Cause(ctx))
	}
}

func (t *worldTime) unlock() { <-t.moving }

// settle returns when nothing is due and everything that runs waits for the clock. It reports false when that took longer, in real time,
// than it is bound to; then the error is nil.
func (w *world) settle(ctx context.Context, bound time.Duration) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	err := w.engine.Settle(limited)
	if err != nil && ctx.Err() == nil {
		return false, nil
	}
	return err == nil, err
}

// stepTo moves the clock to a time, through everything that happens on the way: the next thing when the one before, with all that follows
// from it at once, has settled. It reports false, and leaves the clock where it is, when something doesn't settle. stop, if not nil, ends
// it early; it is asked when everything has settled. The caller holds the lock.
func (w *world) stepTo(ctx context.Context, to time.Time, bound time.Duration, stop func() (bool, error)) (bool, error) {
	for {
		if ok, err := w.settle(ctx, bound); err != nil || !ok {
			return ok, err
		}
		if stop != nil {
			if stopped, err := stop(); err != nil || stopped {
				return true, err
			}
		}
		if fired, err := w.time.clock.Step(to); err != nil {
			return true, err
		} else if fired {
			continue
		}
		if w.time.clock.Now().Before(to) {
			if err := w.time.clock.AdvanceTo(to); err != nil {
				return true, err
			}
			continue // a clock that also goes by itself may have come to something more
		}
		return true, nil
	}
}

// told notes what a job did, if an advance wants to know.
func (w *world) told(s engine.Step) {
	w.time.mu.Lock()
	wanted := w.time.fired != nil
	w.time.mu.Unlock()
	if !wanted {
		return
	}
	resource, status := s.Ref, "done"
	if s.Begun {
		status = "begun"
	}
	if now, err := w.engine.Standing(context.Background(), s.Ref); err == nil {
		resource, status = now.ID, now.Status
	}
	f := control.Fired{At: s.At, Kind: string(s.Kind), Resource: resource, Status: status}
	w.time.mu.Lock()
	defer w.time.mu.Unlock()
	if w.time.fired != nil {
		*w.time.fired = append(*w.time.fired, f)
	}
}

// driftAfter is how long, in real time, a clock in mode auto lets work wait that nobody polls.
const driftAfter = 25 * time.Millisecond

// drift makes time pass in mode auto where work waits for it and nobody polls: whoever waits for a webhook gets it soon. Retries of
// webhooks, and what expires, it leaves to the clock. It returns when ctx is done.
func (w *world) drift(ctx context.Context) {
	for ctx.Err() == nil {
		moved := w.engine.Moved()
		at, ok, err := w.engine.NextWork(ctx)
		t := w.time
		if err != nil || !ok || !at.After(w.engine.Now()) || t.clock.Setting().Mode != clock.Auto {
			select {
			case <-ctx.Done():
			case <-moved:
			case <-t.set:
			}
			continue
		}
		timer := time.NewTimer(driftAfter)
		select {
		case <-ctx.Done():
		case <-t.set:
		case <-timer.C:
			_ = w.jump(ctx, at)
		}
		timer.Stop()
	}
}

// jump moves the clock forward to a time, if it isn't there yet and is in mode auto.
func (w *world) jump(ctx context.Context, at time.Time) error {
	if err := w.time.lock(ctx); err != nil {
		return err
	}
	defer w.time.unlock()
	if w.time.clock.Setting().Mode != clock.Auto {
		return nil
	}
	return w.time.clock.AdvanceTo(at)
}

package sim

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine"
)

// lock waits until nobody else moves the clock; the error is ctx's.
func (s *Simulation) lock(ctx context.Context) error {
	select {
	case s.moving <- struct{}{}:
		return nil
	case <-ctx.Done():
		return engine.Errorf(engine.CodeUnavailable, "Advance", "Another request is moving the clock.").Because(context.Cause(ctx))
	}
}

func (s *Simulation) unlock() { <-s.moving }

// SetClock sets the clock anew. CodeInvalid.
func (s *Simulation) SetClock(ctx context.Context, set clock.Setting) error {
	if set.Now.Sub(s.c.Clock.Now()) > farthest {
		return tooFar()
	}
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.unlock()
	if err := s.c.Clock.Set(set); err != nil {
		return err
	}
	select {
	case s.clockSet <- struct{}{}:
	default:
	}
	return nil
}

// stepTo moves the clock to a time, through everything that happens on the way: the next thing when the one before, with all that follows
// from it at once, has settled. It reports false, and leaves the clock where it is, when something doesn't settle. stop, if not nil, ends
// it early; it is called when everything has settled. The caller holds the lock.
func (s *Simulation) stepTo(ctx context.Context, to time.Time, bound time.Duration, stop func() (bool, error)) (bool, error) {
	for {
		if ok, err := s.settleWithin(ctx, bound); err != nil || !ok {
			return ok, err
		}
		if stop != nil {
			if stopped, err := stop(); err != nil || stopped {
				return true, err
			}
		}
		if fired, err := s.c.Clock.Step(to); err != nil {
			return true, err
		} else if fired {
			continue
		}
		if s.c.Clock.Now().Before(to) {
			if err := s.c.Clock.AdvanceTo(to); err != nil {
				return true, err
			}
			continue // a clock that also goes by itself may have come to something more
		}
		return true, nil
	}
}

// jump moves the clock forward to a time, if it isn't there yet and is in mode auto.
func (s *Simulation) jump(ctx context.Context, at time.Time) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.unlock()
	if s.c.Clock.Setting().Mode != clock.Auto {
		return nil
	}
	return s.c.Clock.AdvanceTo(at)
}

// driftAfter is how long, in real time, a clock in mode auto lets work wait that nobody polls.
const driftAfter = 25 * time.Millisecond

// Drift makes time pass in mode auto where work waits for it and nobody polls, so that a test that waits for a webhook gets it soon.
// Retries of webhooks, and what expires, it leaves to the clock. It returns when ctx is done.
func (s *Simulation) Drift(ctx context.Context) {
	for ctx.Err() == nil {
		activity := s.JobActivity()
		at, ok, err := s.nextWork(ctx)
		if err != nil || !ok || !at.After(s.Now()) || s.c.Clock.Setting().Mode != clock.Auto {
			select {
			case <-ctx.Done():
			case <-activity:
			case <-s.clockSet:
			}
			continue
		}
		timer := time.NewTimer(driftAfter)
		select {
		case <-ctx.Done():
		case <-s.clockSet:
		case <-timer.C:
			_ = s.jump(ctx, at)
		}
		timer.Stop()
	}
}

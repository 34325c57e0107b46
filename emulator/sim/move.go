package sim

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine"
)

// lock acquires the right to move the clock. The error is ctx's.
func (s *Simulation) lock(ctx context.Context) error {
	select {
	case s.moving <- struct{}{}:
		return nil
	case <-ctx.Done():
		return engine.Errorf(engine.CodeUnavailable, "Advance", "Another request is moving the clock.").Because(context.Cause(ctx))
	}
}

func (s *Simulation) unlock() { <-s.moving }

// SetClock changes the clock's setting. CodeInvalid for an invalid setting.
func (s *Simulation) SetClock(ctx context.Context, set clock.Setting) error {
	if set.Now.Sub(s.c.Clock.Now()) > maxAdvance {
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
	s.c.Moved()
	return nil
}

// stepTo moves the clock to a time through every event on the way, and lets each event settle before the next. It returns false,
// and leaves the clock where it is, when an event doesn't settle within bound. If stop is not nil, stepTo calls it after each
// settling and ends when it returns true. The caller holds the lock.
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
			continue // a running clock may have reached further events
		}
		return true, nil
	}
}

// jump advances a clock in mode auto to a time, if that is in the future.
func (s *Simulation) jump(ctx context.Context, at time.Time) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.unlock()
	if s.c.Clock.Setting().Mode != clock.Auto {
		return nil
	}
	err := s.c.Clock.AdvanceTo(at)
	s.c.Moved()
	return err
}

// autoAdvanceAfter is the real time that work waits for a poll before AutoAdvance advances the clock.
const autoAdvanceAfter = 25 * time.Millisecond

// AutoAdvance advances a clock in mode auto when work waits for it and nobody polls, so that tests receive webhooks promptly. It leaves
// retries of webhooks and expiry to the clock. It returns when ctx is done.
func (s *Simulation) AutoAdvance(ctx context.Context) {
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
		timer := time.NewTimer(autoAdvanceAfter)
		select {
		case <-ctx.Done():
		case <-s.clockSet:
		case <-timer.C:
			_ = s.jump(ctx, at)
		}
		timer.Stop()
	}
}

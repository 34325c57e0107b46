package sim

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine"
)

// farthest is how far one advance goes.
const farthest = 100 * 365 * 24 * time.Hour

// Target says how far the clock is advanced: by a time, to a time, until a resource has a status, or, with none of them, to the next event.
type Target struct {
	By    *time.Duration
	To    *time.Time
	Until *Until
}

// Until is a resource, by its id, and the status that it is to have.
type Until struct{ Resource, Status string }

// Advanced is what an advance did.
type Advanced struct {
	Now     time.Time
	Events  []JobEvent // in order
	Settled bool       // false when something took too long in real time; the clock then stays where that was
	Running []Pending  // what did
}

// Advance moves the clock and returns when all that was due, with its webhooks, has settled, or when something didn't in time.
// CodeInvalid; CodeNotFound; CodeConflict when the mode doesn't allow it or the target is never reached.
func (s *Simulation) Advance(ctx context.Context, t Target) (Advanced, error) {
	if mode := s.c.Clock.Setting().Mode; !mode.Jumps() {
		return Advanced{}, engine.Errorf(engine.CodeConflict, "Advance", "A %s clock can't be advanced: it goes by itself.", mode).
			WithHint("Set it to manual, steps or auto first, with PUT /_soundstage/clock.")
	}
	if err := s.lock(ctx); err != nil {
		return Advanced{}, err
	}
	defer s.unlock()
	events := []JobEvent{}
	s.recordTo(&events)
	settled, err := s.advance(ctx, t)
	s.recordTo(nil)
	if err != nil {
		return Advanced{}, err
	}
	slices.SortStableFunc(events, byTime)
	out := Advanced{Now: s.Now(), Events: events, Settled: settled}
	if !settled {
		out.Running, err = s.busy(ctx)
	}
	return out, err
}

// busy returns the jobs that don't wait for the clock.
func (s *Simulation) busy(ctx context.Context) ([]Pending, error) {
	all, err := s.Pending(ctx)
	now := s.Now()
	return slices.DeleteFunc(all, func(p Pending) bool { return p.At.After(now) }), err
}

func (s *Simulation) advance(ctx context.Context, t Target) (bool, error) {
	now := s.Now()
	switch {
	case t.By != nil:
		return s.advanceTo(ctx, now, now.Add(*t.By))
	case t.To != nil:
		return s.advanceTo(ctx, now, *t.To)
	case t.Until != nil:
		return s.advanceUntil(ctx, *t.Until)
	}
	if ok, err := s.settleWithin(ctx, s.c.AdvanceWait); err != nil || !ok {
		return ok, err
	}
	next, ok := s.c.Clock.Next()
	if !ok {
		return true, nil
	}
	return s.stepTo(ctx, next, s.c.AdvanceWait, nil)
}

func (s *Simulation) advanceTo(ctx context.Context, now, to time.Time) (bool, error) {
	switch {
	case to.Before(now):
		return false, engine.Errorf(engine.CodeInvalid, "Advance", "Time does not go backwards: the clock shows %s already.", now.Format(time.RFC3339Nano))
	case to.Sub(now) > farthest:
		return false, tooFar()
	}
	if err := clock.Shows(to); err != nil {
		return false, err
	}
	return s.stepTo(ctx, to.UTC(), s.c.AdvanceWait, nil)
}

func tooFar() error {
	return engine.Errorf(engine.CodeInvalid, "Advance", "A clock is not advanced by more than 100 years.")
}

// advanceUntil goes from one thing to the next until a resource has a status.
func (s *Simulation) advanceUntil(ctx context.Context, u Until) (bool, error) {
	const op = "Advance"
	first, err := s.ResourceStatus(ctx, u.Resource)
	if err != nil {
		return false, engine.Errorf(engine.CodeNotFound, op, "There is no resource %q that time changes.", u.Resource).Because(err).
			WithHint("Name the id of a recording, a transcript, an import, an output, a chat, a render or a delivery.")
	}
	if !first.Has(u.Status) {
		return false, engine.Errorf(engine.CodeInvalid, op, "A %s is never %q.", first.Noun, u.Status)
	}
	reached := false
	stop := func() (bool, error) {
		now, err := s.ResourceStatus(ctx, u.Resource)
		switch {
		case err != nil:
			return true, err
		case now.Status == u.Status:
			reached = true
		case now.Terminal:
			return true, engine.Errorf(engine.CodeConflict, op, "The %s is %s and does not become %s any more.", now.Noun, now.Status, u.Status)
		}
		return reached, nil
	}
	limit := s.Now().Add(farthest)
	for {
		if ok, err := s.settleWithin(ctx, s.c.AdvanceWait); err != nil || !ok {
			return ok, err
		}
		if done, err := stop(); err != nil || done {
			return true, err
		}
		next, ok := s.c.Clock.Next()
		if !ok || next.After(limit) {
			return true, engine.Errorf(engine.CodeConflict, op, "Nothing that waits for the clock makes the %s %s.", first.Noun, u.Status)
		}
		if ok, err := s.stepTo(ctx, next, s.c.AdvanceWait, stop); err != nil || !ok || reached {
			return ok, err
		}
	}
}

package sim

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine"
)

// maxAdvance is the longest time that one advance covers.
const maxAdvance = 100 * 365 * 24 * time.Hour

// Target is where Advance moves the clock: by a duration, to a time, or until a resource has a status. The zero Target is the next
// event.
type Target struct {
	By    *time.Duration
	To    *time.Time
	Until *Until
}

// Until is a resource's id and the status to wait for.
type Until struct{ Resource, Status string }

// Advanced is the result of an advance.
type Advanced struct {
	Now     time.Time
	Events  []JobEvent // in order
	Settled bool       // false when a job took too long in real time; the clock then stops at that time
	Running []Pending  // the jobs that took too long
}

// Advance moves the clock, and returns when every due job and webhook has settled or one has taken longer than AdvanceWait.
// CodeInvalid for an invalid target; CodeNotFound for an unknown resource; CodeConflict when the mode can't be advanced, or the
// status is never reached.
func (s *Simulation) Advance(ctx context.Context, t Target) (Advanced, error) {
	if mode := s.c.Clock.Setting().Mode; !mode.CanAdvance() {
		return Advanced{}, engine.Errorf(engine.CodeConflict, "Advance", "A %s clock can't be advanced: it runs by itself.", mode).
			WithHint("Set it to manual, steps, or auto first, with PUT /_soundstage/clock.")
	}
	if err := s.lock(ctx); err != nil {
		return Advanced{}, err
	}
	defer s.unlock()
	events := []JobEvent{}
	s.recordTo(&events)
	settled, err := s.advance(ctx, t)
	s.recordTo(nil)
	s.c.Moved()
	if err != nil {
		return Advanced{}, err
	}
	settleStatuses(events)
	slices.SortStableFunc(events, byTime)
	out := Advanced{Now: s.Now(), Events: events, Settled: settled}
	if !settled {
		out.Running, err = s.runningJobs(ctx)
	}
	return out, err
}

// runningJobs returns the jobs that don't wait for the clock.
func (s *Simulation) runningJobs(ctx context.Context) ([]Pending, error) {
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
		return false, engine.Errorf(engine.CodeInvalid, "Advance", "The clock can't go backwards: it already shows %s.", now.Format(time.RFC3339Nano))
	case to.Sub(now) > maxAdvance:
		return false, tooFar()
	}
	if err := clock.CheckTime(to); err != nil {
		return false, err
	}
	return s.stepTo(ctx, to.UTC(), s.c.AdvanceWait, nil)
}

func tooFar() error {
	return engine.Errorf(engine.CodeInvalid, "Advance", "A clock can't be advanced by more than 100 years.")
}

// advanceUntil moves the clock from event to event until a resource has a status.
func (s *Simulation) advanceUntil(ctx context.Context, u Until) (bool, error) {
	const op = "Advance"
	first, err := s.ResourceStatus(ctx, u.Resource)
	if err != nil {
		return false, engine.Errorf(engine.CodeNotFound, op, "There is no resource %q with a status.", u.Resource).Because(err).
			WithHint("Use the id of a recording, transcript, import, output, chat, render, or delivery.")
	}
	if !first.Has(u.Status) {
		return false, engine.Errorf(engine.CodeInvalid, op, "A %s never has the status %q.", first.Noun, u.Status)
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
			return true, engine.Errorf(engine.CodeConflict, op, "The %s is %s and can no longer become %s.", now.Noun, now.Status, u.Status)
		}
		return reached, nil
	}
	limit := s.Now().Add(maxAdvance)
	for {
		if ok, err := s.settleWithin(ctx, s.c.AdvanceWait); err != nil || !ok {
			return ok, err
		}
		if done, err := stop(); err != nil || done {
			return true, err
		}
		next, ok := s.c.Clock.Next()
		if !ok || next.After(limit) {
			return true, engine.Errorf(engine.CodeConflict, op, "No pending job will make the %s %s.", first.Noun, u.Status)
		}
		if ok, err := s.stepTo(ctx, next, s.c.AdvanceWait, stop); err != nil || !ok || reached {
			return ok, err
		}
	}
}

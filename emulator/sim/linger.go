package sim

import (
	"cmp"
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// linger returns when the clock shows a time and everything that was to end before this attempt has ended, or with the cause for which
// the attempt is to stop. The attempt takes no worker's time meanwhile.
func (s *Simulation) linger(ctx context.Context, a *queue.Attempt, until time.Time) error {
	if now := s.Now(); now.Before(until) && ctx.Err() == nil {
		s.record(a.Job, true)
		timer := s.c.Clock.NewTimer(until.Sub(now))
		defer timer.Stop()
		a.ReleaseWorker()
		s.waits(a.Job.ID, until)
		select {
		case <-ctx.Done():
		case <-timer.C():
		}
	}
	for {
		activity, first := s.isFirst(a.Job.ID)
		if first || ctx.Err() != nil {
			return context.Cause(ctx)
		}
		select {
		case <-ctx.Done():
		case <-activity:
		}
	}
}

// waits notes what an attempt waits for.
func (s *Simulation) waits(id queue.ID, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[id].until = until
	s.active()
}

// isFirst reports whether no attempt that waits for the clock is to end before this one, and returns what is closed when that may change.
// Attempts that end at the same time do so one after another, always in the same order. One that didn't have to wait ends at once.
func (s *Simulation) isFirst(id queue.ID) (activity <-chan struct{}, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.running[id]
	for _, other := range s.running {
		end := other.end()
		if !end.IsZero() && cmp.Or(end.Compare(a.until), other.Job.RunAt.Compare(a.Job.RunAt), cmp.Compare(other.Job.ID, a.Job.ID)) < 0 {
			return s.activity, false
		}
	}
	return s.activity, true
}

package sim

import (
	"cmp"
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// linger blocks an attempt whose work is done until the clock shows the given time and every attempt that must end earlier has
// ended. It frees the worker meanwhile. It returns ctx's cause if the attempt is to stop.
func (s *Simulation) linger(ctx context.Context, a *queue.Attempt, until time.Time) error {
	if s.Now().Before(until) && ctx.Err() == nil {
		s.record(a.Job, true)
		timer := queue.TimerAt(s.c.Clock, until)
		defer timer.Stop()
		a.ReleaseWorker()
		stepped := s.setWaiting(a.Job.ID, until)
		s.c.Waits(a.Job)
		select {
		case <-ctx.Done():
		case <-timer.C():
		case <-stepped:
		}
	}
	for {
		activity, first := s.endsFirst(a.Job.ID)
		if first || ctx.Err() != nil {
			return context.Cause(ctx)
		}
		select {
		case <-ctx.Done():
		case <-activity:
		}
	}
}

// setWaiting records the time that an attempt waits for. It returns the channel that Step closes.
func (s *Simulation) setWaiting(id queue.ID, until time.Time) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[id].until = until
	s.signalActivity()
	return s.running[id].step
}

// endsFirst reports whether no attempt that waits for the clock must end before this one. The channel is closed when that may
// change. Attempts with the same end time end one after another in a deterministic order. An attempt that didn't wait ends
// immediately.
func (s *Simulation) endsFirst(id queue.ID) (activity <-chan struct{}, first bool) {
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

package sim

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// linger blocks an attempt whose work is done until the clock shows the given time and every attempt that must end earlier has
// ended. It frees the worker meanwhile. It returns ctx's cause if the attempt is to stop.
func (s *Simulation) linger(ctx context.Context, a *queue.Attempt, until time.Time) error {
	frozen := s.c.Clock.Setting().Mode.Frozen()
	if frozen && !s.Now().Before(until) {
		a.ReleaseWorker()
		s.setWaiting(a.Job.ID, until)
	}
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
	if !frozen {
		s.awaitTurn(ctx, a, s.endsFirst)
		return context.Cause(ctx)
	}
	// Real work may take too long to wait for it.
	limited, cancel := context.WithTimeout(ctx, s.c.AdvanceWait)
	defer cancel()
	s.awaitTurn(limited, a, func(id queue.ID) (<-chan struct{}, bool) {
		changed := s.JobActivity()
		if s.workIsDue(ctx) {
			return changed, false
		}
		return s.endsFirst(id)
	})
	return context.Cause(ctx)
}

// awaitTurn returns when first says that an attempt may end, or ctx is done.
func (s *Simulation) awaitTurn(ctx context.Context, a *queue.Attempt, first func(queue.ID) (<-chan struct{}, bool)) {
	for {
		activity, ok := first(a.Job.ID)
		if ok || ctx.Err() != nil {
			return
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
// immediately, unless the clock is frozen: attempts that work then count as well, as if they ended now.
func (s *Simulation) endsFirst(id queue.ID) (activity <-chan struct{}, first bool) {
	now, frozen := s.Now(), s.c.Clock.Setting().Mode.Frozen()
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.running[id]
	for _, other := range s.running {
		end := other.end()
		if end.IsZero() && frozen && other != a && s.isSimulated(other.Job) {
			end = now
		}
		if !end.IsZero() && cmp.Or(end.Compare(a.until), other.Job.RunAt.Compare(a.Job.RunAt), cmp.Compare(other.Job.Key, a.Job.Key)) < 0 {
			return s.activity, false
		}
	}
	return s.activity, true
}

// workIsDue reports whether a simulated job is due whose attempt is not in running yet. It may have to end first.
func (s *Simulation) workIsDue(ctx context.Context) (due bool) {
	_ = s.c.Store.View(ctx, func(tx engine.ReadTx) error {
		at, ok, err := tx.NextJobAt(workClasses, nil)
		if due = ok && !at.After(s.Now()); due || err != nil {
			return err
		}
		leased, err := tx.LeasedJobs()
		s.mu.Lock()
		defer s.mu.Unlock()
		due = slices.ContainsFunc(leased, func(j queue.Job) bool { return s.isSimulated(j) && s.running[j.ID] == nil })
		return err
	})
	return due
}

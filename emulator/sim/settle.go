package sim

import (
	"context"
	"time"
)

// Settle returns when nothing happens until the clock advances: no job is due, and every attempt waits for the clock or is a held
// delivery. The engine must be running. The error is ctx's.
func (s *Simulation) Settle(ctx context.Context) error {
	for {
		activity := s.JobActivity()
		if s.settled(s.Now()) {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-activity:
		}
	}
}

// settled reports whether there is nothing to do at a time.
func (s *Simulation) settled(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.running {
		if held := a.held && a.Err() == nil && !a.failed; !held && !a.end().After(now) {
			return false
		}
	}
	return s.idle && (s.next.IsZero() || s.next.After(now))
}

// settleWithin calls Settle for at most bound in real time. It returns false and a nil error when bound is exceeded.
func (s *Simulation) settleWithin(ctx context.Context, bound time.Duration) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	err := s.Settle(limited)
	if err != nil && ctx.Err() == nil {
		return false, nil
	}
	return err == nil, err
}

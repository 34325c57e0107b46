package sim

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// WaitIdle returns when no job is due or running. Held deliveries don't count. With a frozen clock, jobs that wait for the clock
// don't count either. In mode auto, WaitIdle advances the clock to run them, webhook retries included, except to retries for receivers
// that don't respond: they may be restarting. In the other modes it waits for them, except for retries. The error is ctx's.
func (s *Simulation) WaitIdle(ctx context.Context) error {
	for {
		activity := s.JobActivity()
		if err := s.Settle(ctx); err != nil {
			return err
		}
		at, busy, err := s.nextAwaited(ctx)
		if err != nil || !busy {
			return err
		}
		if s.c.Clock.Setting().Mode == clock.Auto && at.After(s.Now()) {
			if err := s.jump(ctx, at); err != nil {
				return err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-activity:
		}
	}
}

// nextAwaited returns the time of the next job that WaitIdle waits for.
func (s *Simulation) nextAwaited(ctx context.Context) (at time.Time, busy bool, err error) {
	switch mode := s.c.Clock.Setting().Mode; {
	case mode.Frozen():
		return at, false, nil
	case mode != clock.Auto:
		return s.nextWork(ctx)
	}
	jobs, err := s.Pending(ctx)
	for _, p := range jobs {
		if p.Job.Class != queue.ClassMaintain && !p.Held && !s.leftToClock(p) {
			return p.At, true, err
		}
	}
	return at, false, err
}

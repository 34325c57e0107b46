package sim

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// WaitIdle returns when nothing is due or running; held deliveries don't count. Where time stands still, what waits for the clock doesn't
// count. In mode auto it is done first, retries of webhooks too. In the other modes it is waited for, except retries. The error is ctx's.
func (s *Simulation) WaitIdle(ctx context.Context) error {
	for {
		activity := s.JobActivity()
		if err := s.Settle(ctx); err != nil {
			return err
		}
		at, busy, err := s.awaited(ctx)
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

// awaited returns when the next thing happens that WaitIdle waits for.
func (s *Simulation) awaited(ctx context.Context) (at time.Time, busy bool, err error) {
	switch mode := s.c.Clock.Setting().Mode; {
	case mode.Still():
		return at, false, nil
	case mode != clock.Auto:
		return s.nextWork(ctx)
	}
	jobs, err := s.Pending(ctx)
	for _, p := range jobs {
		if p.Job.Class != queue.ClassMaintain && !p.Held {
			return p.At, true, err
		}
	}
	return at, false, err
}

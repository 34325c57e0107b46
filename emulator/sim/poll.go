package sim

import (
	"context"

	"github.com/soundstage-dev/soundstage/emulator/clock"
)

// Poll is a look at something that may not be over.
type Poll struct {
	Key        string // names what is looked at, among all that can be
	Deliveries bool   // whether it is about deliveries of webhooks
	// Look returns its state, as it differs for the client, and the ids that jobs about it have as their Ref.
	Look func(context.Context) (state string, refs []string, err error)
}

// Polled is called with each poll before it is answered. In mode auto it lets the thing get to its end, in mode steps to its next state
// unless this is the first look at it. It waits for real work for Config.PollWait; then the poll is answered with what is there.
func (s *Simulation) Polled(ctx context.Context, p Poll) {
	switch s.c.Clock.Setting().Mode {
	case clock.Auto:
		s.finish(ctx, p)
	case clock.Steps:
		s.mu.Lock()
		again := s.polled[p.Key]
		s.polled[p.Key] = true
		s.mu.Unlock()
		if again {
			s.nextState(ctx, p)
		}
	}
}

// finish lets a thing get to its end.
func (s *Simulation) finish(ctx context.Context, p Poll) {
	ctx, cancel := context.WithTimeout(ctx, s.c.PollWait)
	defer cancel()
	for {
		_, refs, err := p.Look(ctx)
		if err != nil {
			return
		}
		if more, err := s.finishJobs(ctx, refs, p); err != nil || !more {
			return
		}
	}
}

// finishJobs lets the jobs about some rows get to their end. more says that there were any, after which others may have come. It looks at
// these jobs only, each time that any job moves: under load that is often, and Look may be slow.
func (s *Simulation) finishJobs(ctx context.Context, refs []string, p Poll) (more bool, err error) {
	for ctx.Err() == nil {
		activity := s.JobActivity()
		next, ok, err := s.pendingOf(ctx, refs, p.Deliveries)
		if err != nil || !ok || p.Deliveries && next.Working() {
			return more && !ok, err // receivers are not waited for
		}
		more = true
		if next.At.After(s.Now()) {
			if err := s.jump(ctx, next.At); err != nil {
				return false, err
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-activity:
		}
	}
	return false, context.Cause(ctx)
}

// nextState lets a thing get to another state.
func (s *Simulation) nextState(ctx context.Context, p Poll) {
	bound := s.c.PollWait
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	if s.lock(ctx) != nil {
		return
	}
	defer s.unlock()
	if ok, err := s.settleWithin(ctx, bound); err != nil || !ok {
		return
	}
	before, _, err := p.Look(ctx)
	for err == nil && ctx.Err() == nil {
		now, refs, err := p.Look(ctx)
		if err != nil || now != before {
			return
		}
		next, ok, err := s.pendingOf(ctx, refs, p.Deliveries)
		if err != nil || !ok || next.Working() {
			return
		}
		changed := func() (bool, error) {
			now, _, err := p.Look(ctx)
			return now != before, err
		}
		if ok, err := s.stepTo(ctx, next.At, bound, changed); err != nil || !ok {
			return
		}
	}
}

package sim

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Poll is a client's poll of a resource.
type Poll struct {
	Key        string // identifies the polled resource
	Deliveries bool   // whether it polls deliveries of webhooks
	// State returns the resource's state, as the client sees it, and the ids that its jobs have as their Ref.
	State func(context.Context) (state string, refs []string, err error)
}

// The defaults of Config.PollWait.
const (
	// AutoPollWait is for mode auto. Work that takes longer is shown by a later poll: many clients may poll a busy machine, and none
	// of them must block for as long as the machine is busy. It leaves time to answer within 300 ms.
	AutoPollWait = 200 * time.Millisecond
	// StepsPollWait is for mode steps, where each poll shows the next state.
	StepsPollWait = 5 * time.Second
)

// pollWait returns how long a poll waits in a mode.
func (s *Simulation) pollWait(m clock.Mode) time.Duration {
	switch {
	case s.c.PollWait > 0:
		return s.c.PollWait
	case m == clock.Auto:
		return AutoPollWait
	}
	return StepsPollWait
}

// Polled is called before a poll is answered. In mode auto it lets the resource reach its final state. In mode steps it lets the
// resource reach its next state, except at the first poll by somebody who sees the resource. It waits for real work for at most
// Config.PollWait; the poll then shows the current state.
func (s *Simulation) Polled(ctx context.Context, p Poll) {
	switch s.c.Clock.Setting().Mode {
	case clock.Auto:
		s.finish(ctx, p)
	case clock.Steps:
		if _, _, err := p.State(ctx); err != nil {
			return // the caller doesn't see the resource
		}
		s.mu.Lock()
		again := s.polled[p.Key]
		s.polled[p.Key] = true
		s.mu.Unlock()
		if again {
			s.nextState(ctx, p)
		}
	}
}

// finish lets a resource reach its final state.
func (s *Simulation) finish(ctx context.Context, p Poll) {
	ctx, cancel := context.WithTimeout(ctx, s.pollWait(clock.Auto))
	defer cancel()
	for {
		_, refs, err := p.State(ctx)
		if err != nil {
			return
		}
		if more, err := s.finishJobs(ctx, refs, p); err != nil || !more {
			return
		}
	}
}

// finishJobs lets the jobs about some rows end. more reports whether there were any, since they may have enqueued others. It
// queries only these jobs whenever any job changes: that is often under load, and State may be slow.
func (s *Simulation) finishJobs(ctx context.Context, refs []string, p Poll) (more bool, err error) {
	for keys := keysOf(refs, p.Deliveries); ctx.Err() == nil; {
		activity := s.JobActivity()
		next, left, err := s.pendingOf(ctx, keys, s.leftToClock)
		if err != nil || len(left) == 0 || p.Deliveries && next.Working() {
			return more && len(left) == 0, err // don't wait for receivers
		}
		keys = left
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

// nextState lets a resource reach another state. The clock and the jobs of other resources stay as they are, so that each resource has
// its own steps.
func (s *Simulation) nextState(ctx context.Context, p Poll) {
	bound := s.pollWait(clock.Steps)
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	if s.lock(ctx) != nil {
		return
	}
	defer s.unlock()
	if ok, err := s.settleWithin(ctx, bound); err != nil || !ok {
		return
	}
	before, _, err := p.State(ctx)
	for err == nil && ctx.Err() == nil {
		now, refs, err := p.State(ctx)
		if err != nil || now != before {
			return
		}
		next, left, err := s.pendingOf(ctx, keysOf(refs, p.Deliveries), func(Pending) bool { return false })
		if err != nil || len(left) == 0 || next.Working() {
			return
		}
		if s.stepJobs(ctx, left, next.At) != nil {
			return
		}
		if ok, err := s.settleWithin(ctx, bound); err != nil || !ok {
			return
		}
	}
}

// stepJobs lets the jobs with some keys continue now that would continue at a time. It lets one after another, in the order in which they
// end: see endsFirst.
func (s *Simulation) stepJobs(ctx context.Context, keys []string, at time.Time) error {
	var jobs []queue.Job
	for _, key := range keys {
		p, left, err := s.pendingOf(ctx, []string{key}, func(p Pending) bool { return !p.At.Equal(at) })
		if err != nil {
			return err
		}
		if len(left) > 0 {
			jobs = append(jobs, p.Job)
		}
	}
	now := s.Now()
	due := func(j queue.Job) time.Time {
		if j.Status.Waiting() {
			return now
		}
		return j.RunAt
	}
	slices.SortFunc(jobs, func(a, b queue.Job) int { return cmp.Or(due(a).Compare(due(b)), cmp.Compare(a.Key, b.Key)) })
	for _, j := range jobs {
		step := s.Step
		if j.Status.Waiting() {
			step = func(id queue.ID) error { return s.c.Hasten(ctx, id) }
		}
		if err := step(j.ID); err != nil {
			return err
		}
	}
	return nil
}

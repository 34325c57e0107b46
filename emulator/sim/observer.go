package sim

import (
	"context"
	"errors"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

var (
	_ queue.Observer[engine.ReadTx] = (*Simulation)(nil)
	_ queue.Spreader                = (*Simulation)(nil)
)

// attempt is a running attempt. Simulation.mu guards its fields.
type attempt struct {
	*queue.Attempt
	until time.Time // the clock's time at which it ends; zero while it works
	held  bool      // whether it is a held delivery

	stop   context.CancelCauseFunc // ends its work; nil before Work
	failed bool                    // Fail ended it
	step   chan struct{}           // closed by Step
}

// end returns when the attempt ends if it only waits for the clock, or the zero time. The caller holds mu.
func (a *attempt) end() time.Time {
	if a.Err() != nil || a.failed {
		return time.Time{} // it is stopping
	}
	return a.until
}

// tick is how long a job without a Timing.Wait waits while the clock is frozen.
const tick = time.Microsecond

// Enqueued implements queue.Observer. It delays a job by its Timing.Wait. In mode steps no job begins before a poll: the first poll
// shows the state before it. In mode manual none begins before the clock moves, unless it is Timing.AtOnce: how far its work is would
// depend on when one looks.
func (s *Simulation) Enqueued(ctx context.Context, tx engine.ReadTx, j queue.Job) (time.Time, error) {
	if !s.isSimulated(j) {
		return j.RunAt, nil
	}
	timing, err := s.c.Jobs.Timing(ctx, tx, j)
	wait := roundUp(timing.Wait)
	switch s.c.Clock.Setting().Mode {
	case clock.Steps:
		wait = max(wait, tick)
	case clock.Manual:
		if !timing.AtOnce {
			wait = max(wait, tick)
		}
	}
	return j.RunAt.Add(wait), err
}

// Spread implements queue.Spreader.
func (s *Simulation) Spread(j queue.Job) float64 { return s.c.Spread(j) }

// Started implements queue.Observer.
func (s *Simulation) Started(a *queue.Attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[a.Job.ID] = &attempt{Attempt: a, step: make(chan struct{})}
	if s.c.Clock.Setting().Mode.Frozen() {
		s.signalActivity() // for those that wait until it has begun
	}
}

// Work implements queue.Observer. It does the work, unless Fail has decided its end.
func (s *Simulation) Work(ctx context.Context, a *queue.Attempt) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var err error
	if s.mustFail(a, stop) {
		err = a.Start(ctx)
	} else {
		err = s.work(ctx, a)
	}
	if fail := s.takeFailure(a); fail != nil && !errors.Is(err, queue.ErrLostLease) {
		return fail
	}
	return err
}

// work does the work or simulates its failure, then makes the attempt last for Timing.Duration.
func (s *Simulation) work(ctx context.Context, a *queue.Attempt) error {
	if !s.isSimulated(a.Job) {
		return a.Do(ctx)
	}
	begun := s.Now()
	timing, err := s.timing(ctx, a.Job)
	if err != nil {
		return err
	}
	if timing.Fail != nil {
		err = a.Start(ctx)
	} else {
		err = a.Do(ctx)
		if a.Job.Kind == engine.JobTranscribe && ctx.Err() == nil && !errors.Is(err, queue.ErrLostLease) {
			known, timingErr := s.timing(ctx, a.Job)
			if timingErr != nil {
				return errors.Join(err, timingErr)
			}
			timing.Duration = known.Duration
		}
	}
	if !errors.Is(err, queue.ErrLostLease) && (timing.Duration > 0 || s.c.Clock.Setting().Mode.Frozen()) {
		lasts := roundUp(timing.Duration)
		if lasts > tick && begun.Sub(a.Job.CreatedAt) == tick {
			lasts -= tick // so that it ends as long after its request as without the tick
		}
		if stopped := s.linger(ctx, a, begun.Add(lasts)); stopped != nil {
			return stopped
		}
	}
	if err != nil || timing.Fail == nil {
		return err
	}
	if timing.Fail.Code == engine.CodeCanceled {
		return queue.ErrCanceled
	}
	return timing.Fail
}

// Ended implements queue.Observer.
func (s *Simulation) Ended(a *queue.Attempt, event queue.Event) {
	s.record(a.Job, false)
	s.mu.Lock()
	defer s.mu.Unlock()
	if event == queue.Finished || event == queue.Exhausted || event == queue.Stopped {
		delete(s.failing, a.Job.ID) // it came too late
	}
	if last := s.running[a.Job.ID]; last != nil && last.Attempt == a { // the next attempt may have started
		delete(s.running, a.Job.ID)
	}
	s.signalActivity()
}

// Idle implements queue.Observer.
func (s *Simulation) Idle(next time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle, s.next = true, next
	s.signalActivity()
}

// Woken implements queue.Observer.
func (s *Simulation) Woken() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = false
	s.signalActivity()
}

// Held records whether a delivery's attempt is held. Settle doesn't wait for held attempts. Held does nothing when no attempt is
// running.
func (s *Simulation) Held(id engine.DeliveryID, held bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.running {
		if a.Job.Class == queue.ClassDeliver && a.Job.Ref == string(id) {
			a.held = held
			s.signalActivity()
		}
	}
}

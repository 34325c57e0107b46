package sim

import (
	"context"
	"errors"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

var _ queue.Observer[engine.ReadTx] = (*Simulation)(nil)

// attempt is an attempt that runs. Its fields are guarded by Simulation.mu.
type attempt struct {
	*queue.Attempt
	until time.Time // what the clock must show for it to end; zero while it works
	held  bool      // whether it is a delivery that is held
}

// end returns when the attempt ends if it only waits for the clock, else the zero time; mu is held.
func (a *attempt) end() time.Time {
	if a.Err() != nil {
		return time.Time{} // it is being stopped
	}
	return a.until
}

// Enqueued implements queue.Observer: a job waits as its Timing says.
func (s *Simulation) Enqueued(ctx context.Context, tx engine.ReadTx, j queue.Job) (time.Time, error) {
	if !s.isSimulated(j) {
		return j.RunAt, nil
	}
	timing, err := s.c.Jobs.Timing(ctx, tx, j)
	return j.RunAt.Add(max(0, timing.Wait)), err
}

// Started implements queue.Observer.
func (s *Simulation) Started(a *queue.Attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[a.Job.ID] = &attempt{Attempt: a}
}

// Work implements queue.Observer: it does the work, or simulates that it fails, and lingers until the attempt has taken as long as it
// should.
func (s *Simulation) Work(ctx context.Context, a *queue.Attempt) error {
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
		if a.Job.Kind == transcribe && ctx.Err() == nil && !errors.Is(err, queue.ErrLostLease) {
			known, timingErr := s.timing(ctx, a.Job)
			if timingErr != nil {
				return errors.Join(err, timingErr)
			}
			timing.Take = known.Take
		}
	}
	if !errors.Is(err, queue.ErrLostLease) && timing.Take > 0 {
		if stopped := s.linger(ctx, a, begun.Add(timing.Take)); stopped != nil {
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
func (s *Simulation) Ended(a *queue.Attempt, _ queue.Event) {
	s.record(a.Job, false)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, a.Job.ID)
	s.active()
}

// Idle implements queue.Observer.
func (s *Simulation) Idle(next time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle, s.next = true, next
	s.active()
}

// Woken implements queue.Observer.
func (s *Simulation) Woken() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = false
	s.active()
}

// Held notes whether the attempt of a delivery is held: Settle doesn't wait for it then. It does nothing when the delivery isn't tried.
func (s *Simulation) Held(id engine.DeliveryID, held bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.running {
		if a.Job.Class == queue.ClassDeliver && a.Job.Ref == string(id) {
			a.held = held
			s.active()
		}
	}
}

package sim

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Fail makes the current attempt of a job end with an error, or its next one if none runs: the next one doesn't do its work. The job and its
// resource then fail as after any permanent error. Jobs that have ended are the caller's concern.
func (s *Simulation) Fail(id queue.ID, why *engine.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failing[id] = why
	if a := s.running[id]; a != nil && a.stop != nil {
		a.failed = true
		a.stop(why)
		s.signalActivity()
	}
}

// Failing returns the error with which the next attempt of a job will end, or nil.
func (s *Simulation) Failing(id queue.ID) *engine.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failing[id]
}

// mustFail notes how to end an attempt, and reports whether it must not do its work.
func (s *Simulation) mustFail(a *queue.Attempt, stop context.CancelCauseFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := s.running[a.Job.ID]; now != nil && now.Attempt == a {
		now.stop = stop
	}
	return s.failing[a.Job.ID] != nil
}

// takeFailure returns the error of Fail for an attempt, once. A shutdown or a cancel comes first; the error is then for the next attempt.
func (s *Simulation) takeFailure(a *queue.Attempt) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	why := s.failing[a.Job.ID]
	if why == nil || a.Err() != nil {
		return nil
	}
	delete(s.failing, a.Job.ID)
	return why
}

// Step ends the wait of a running attempt for the clock, now. CodeConflict for an attempt that works, or that is held.
func (s *Simulation) Step(id queue.ID) error {
	const op = "Step"
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.running[id]
	switch now := s.Now(); {
	case a != nil && a.held:
		return engine.Errorf(engine.CodeConflict, op, "The message of the job is held.").WithHint("Release it with POST /_soundstage/webhooks/release.")
	case a == nil, a.end().IsZero(), !a.end().After(now):
		return engine.Errorf(engine.CodeConflict, op, "The job is working: it takes its next step by itself.")
	default:
		a.until = now // so that no attempt which ends later comes first
	}
	close(a.step)
	s.signalActivity()
	return nil
}

// Waits returns until when a job does nothing. ok is false for a job that works, is due, is held, or has ended; at is then the zero time,
// or when it became due.
func (s *Simulation) Waits(j queue.Job) (at time.Time, ok bool) {
	if j.Status.Waiting() {
		return j.RunAt, j.RunAt.After(s.Now())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.running[j.ID]
	if a == nil || j.Status != queue.Running || a.Job.Generation != j.Generation || a.end().IsZero() {
		return time.Time{}, false
	}
	return a.end(), true
}

// Works reports whether an attempt of a job is doing its work now: it neither waits for the clock nor is held.
func (s *Simulation) Works(id queue.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.running[id]
	return a != nil && a.end().IsZero() && (!a.held || a.failed)
}

package sim

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Timing is how long a job waits and takes in simulated time, and whether it fails.
type Timing struct {
	Wait     time.Duration // from being enqueued to becoming due
	Duration time.Duration // the least duration of an attempt
	AtOnce   bool          // the job begins when it is enqueued, also while the clock is frozen in mode manual
	// Fail, if not nil, makes the attempt fail without doing its work: permanently, unless it is Retryable. CodeCanceled acts like
	// a requested cancel.
	Fail *engine.Error
}

// JobSimulator returns the timing of jobs. Jobs of queue.ClassDeliver and queue.ClassMaintain are not simulated.
type JobSimulator interface {
	// Timing returns a job's timing. It is called for Wait when a job is enqueued, in that transaction, with Status queue.Queued.
	// It is called for Duration and Fail when an attempt begins, with Status queue.Running and Attempt counting from 1. It is called
	// for Duration again when the work of a transcription is done, because its Transcript then has the media's duration. An error
	// fails the caller.
	Timing(ctx context.Context, tx engine.ReadTx, j queue.Job) (Timing, error)
}

// roundUp returns a duration in whole microseconds, the precision of the clock and of all stores, and at least 0.
func roundUp(d time.Duration) time.Duration {
	return max(0, (d + time.Microsecond - 1).Truncate(time.Microsecond))
}

// isSimulated reports whether the JobSimulator applies to a job.
func (s *Simulation) isSimulated(j queue.Job) bool {
	return s.c.Jobs != nil && j.Class != queue.ClassDeliver && j.Class != queue.ClassMaintain
}

// timing returns the timing of an attempt.
func (s *Simulation) timing(ctx context.Context, j queue.Job) (t Timing, err error) {
	err = s.c.Store.View(ctx, func(tx engine.ReadTx) error {
		t, err = s.c.Jobs.Timing(ctx, tx, j)
		return err
	})
	return t, err
}

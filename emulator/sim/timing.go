package sim

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Timing is how a job goes in simulated time.
type Timing struct {
	Wait time.Duration // from when it is enqueued to when it may begin
	Take time.Duration // the least time of an attempt, from when it begins to when its end is written
	// Fail, if not nil, ends the attempt as if its work had failed with it: for good unless it is Retryable; of CodeCanceled, as if a
	// cancel had been requested. The work isn't done.
	Fail *engine.Error
}

// JobSimulator says how long jobs wait before they begin and how long they take at least. Jobs of queue.ClassDeliver and
// queue.ClassMaintain are not simulated.
type JobSimulator interface {
	// Timing is called for Wait when a job is enqueued, in its transaction: its Status is queue.Queued. It is called for Take and Fail
	// when an attempt begins: its Status is queue.Running, and Attempt counts from 1. It is called for Take once more when the work of a
	// transcription is done: its Transcript then has the duration of the media. ctx is the transaction's. An error fails what asked.
	Timing(ctx context.Context, tx engine.ReadTx, j queue.Job) (Timing, error)
}

// isSimulated reports whether a JobSimulator is asked about a job.
func (s *Simulation) isSimulated(j queue.Job) bool {
	return s.c.Jobs != nil && j.Class != queue.ClassDeliver && j.Class != queue.ClassMaintain
}

// timing asks how an attempt goes.
func (s *Simulation) timing(ctx context.Context, j queue.Job) (t Timing, err error) {
	err = s.c.Store.View(ctx, func(tx engine.ReadTx) error {
		t, err = s.c.Jobs.Timing(ctx, tx, j)
		return err
	})
	return t, err
}

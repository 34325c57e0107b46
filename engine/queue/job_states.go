package queue

import "github.com/soundstage-dev/soundstage/engine/fsm"

// Status is the state of a Job, as stored.
type Status string

const (
	Queued    Status = "queued"    // waits for a worker
	Running   Status = "running"   // leased by a worker
	Retrying  Status = "retrying"  // failed, waits for its next attempt
	Completed Status = "completed" // done
	Failed    Status = "failed"    // failed permanently
	Canceled  Status = "canceled"  // stopped by a caller or an operator
)

// Event is what happens to a Job.
type Event string

const (
	Claimed   Event = "claimed"   // a worker took the lease
	Released  Event = "released"  // the worker released the lease because of a shutdown, or for a worker that knows the kind
	Expired   Event = "expired"   // the lease ran out, or its process is gone
	Finished  Event = "finished"  // the work is done and its result written
	Errored   Event = "errored"   // the attempt failed, another one follows
	Exhausted Event = "exhausted" // the attempt failed and no other follows
	Stopped   Event = "stopped"   // a cancel was requested and carried out
)

// machine lists the states of a job and all transitions.
var machine = fsm.New("job", Queued, fsm.Table[Status, Event]{
	Queued: {Claimed: Running, Stopped: Canceled},
	Running: {
		Released: Queued, Expired: Queued, Finished: Completed,
		Errored: Retrying, Exhausted: Failed, Stopped: Canceled,
	},
	Retrying:  {Claimed: Running, Stopped: Canceled},
	Completed: {},
	Failed:    {},
	Canceled:  {},
})

// Machine returns the state machine of a Job.
func Machine() *fsm.Machine[Status, Event] { return machine }

// apply changes the job's status, and is the only place that assigns it. It returns a *fsm.TransitionError if the event is not allowed.
func (j *Job) apply(event Event) error {
	next, err := machine.Next(j.Status, event)
	if err != nil {
		return err
	}
	j.Status = next
	return nil
}

// Waiting reports whether a job in this status waits for a worker.
func (s Status) Waiting() bool { return s == Queued || s == Retrying }

// Terminal reports whether this status is final.
func (s Status) Terminal() bool { return machine.Terminal(s) }

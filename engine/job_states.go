package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// JobStatus is the state of a Job: stored form.
type JobStatus string

const (
	JobQueued    JobStatus = "queued"    // waits for a worker
	JobRunning   JobStatus = "running"   // leased by a worker
	JobRetrying  JobStatus = "retrying"  // failed, waits for its next try
	JobCompleted JobStatus = "completed" // done
	JobFailed    JobStatus = "failed"    // failed for good
	JobCanceled  JobStatus = "canceled"  // stopped by a caller or an operator
)

// JobEvent is what happens to a Job.
type JobEvent string

const (
	JobClaimed   JobEvent = "claimed"   // a worker took the lease
	JobReleased  JobEvent = "released"  // the worker gave the lease back: it shuts down
	JobExpired   JobEvent = "expired"   // the lease ran out, or its process is gone
	JobFinished  JobEvent = "finished"  // the work is done and written
	JobErrored   JobEvent = "errored"   // the try failed, another one follows
	JobExhausted JobEvent = "exhausted" // the try failed and no other follows
	JobStopped   JobEvent = "stopped"   // a cancel was asked for and carried out
)

// jobMachine is every state of a job and every way out of it.
var jobMachine = fsm.New("job", JobQueued, fsm.Table[JobStatus, JobEvent]{
	JobQueued: {JobClaimed: JobRunning, JobStopped: JobCanceled},
	JobRunning: {
		JobReleased: JobQueued, JobExpired: JobQueued, JobFinished: JobCompleted,
		JobErrored: JobRetrying, JobExhausted: JobFailed, JobStopped: JobCanceled,
	},
	JobRetrying:  {JobClaimed: JobRunning, JobStopped: JobCanceled},
	JobCompleted: {},
	JobFailed:    {},
	JobCanceled:  {},
})

// apply moves the job; it is the only place that assigns its status.
func (j *Job) apply(event JobEvent) error {
	next, err := jobMachine.Next(j.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Job", "The job is already %s.", j.Status).Because(err)
	}
	j.Status = next
	return nil
}

// Waiting reports whether a job in this status waits for a worker.
func (s JobStatus) Waiting() bool { return s == JobQueued || s == JobRetrying }

// Terminal reports whether a job in this status is over.
func (s JobStatus) Terminal() bool { return jobMachine.Terminal(s) }

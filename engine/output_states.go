package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// OutputStatus is the state of an Output: stored form and wire form.
type OutputStatus string

const (
	OutputQueued    OutputStatus = "queued"    // waiting for its first attempt, or being generated
	OutputRetrying  OutputStatus = "retrying"  // an attempt failed and will be retried
	OutputCompleted OutputStatus = "completed" // the text is written
	OutputFailed    OutputStatus = "failed"    // failed permanently; Error says why
	OutputCanceled  OutputStatus = "canceled"  // canceled
)

// OutputEvent is a transition of an Output.
type OutputEvent string

const (
	OutputFinished  OutputEvent = "finished"  // the text is written
	OutputErrored   OutputEvent = "errored"   // an attempt failed and will be retried
	OutputExhausted OutputEvent = "exhausted" // the last attempt failed
	OutputStopped   OutputEvent = "stopped"   // it was canceled
	OutputRetried   OutputEvent = "retried"   // RetryOutput was called
)

// outputMachine is every state of an output and every transition (specification, "States and transitions").
var outputMachine = fsm.New("output", OutputQueued, fsm.Table[OutputStatus, OutputEvent]{
	OutputQueued: {
		OutputFinished: OutputCompleted, OutputErrored: OutputRetrying, OutputExhausted: OutputFailed, OutputStopped: OutputCanceled,
	},
	OutputRetrying: {
		OutputFinished: OutputCompleted, OutputErrored: OutputRetrying, OutputExhausted: OutputFailed, OutputStopped: OutputCanceled,
	},
	OutputCompleted: {},
	OutputFailed:    {OutputRetried: OutputQueued},
	OutputCanceled:  {},
}).Reopening(OutputRetried)

// Over reports whether the status is final.
func (s OutputStatus) Over() bool { return outputMachine.Terminal(s) }

// apply changes the output's status; nothing else assigns it.
func (o *Output) apply(event OutputEvent) error {
	next, err := outputMachine.Next(o.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Output", "The output is already %s.", o.Status).Because(err)
	}
	o.Status = next
	return nil
}

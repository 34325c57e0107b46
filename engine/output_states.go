package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// OutputStatus is the state of an Output: stored form and wire form.
type OutputStatus string

const (
	OutputQueued    OutputStatus = "queued"    // waits for its first try, or is being made
	OutputRetrying  OutputStatus = "retrying"  // a try failed, another one follows
	OutputCompleted OutputStatus = "completed" // the text is there
	OutputFailed    OutputStatus = "failed"    // it can't be made; Error says why
	OutputCanceled  OutputStatus = "canceled"  // it was stopped
)

// OutputEvent is what happens to an Output.
type OutputEvent string

const (
	OutputFinished  OutputEvent = "finished"  // the text is written
	OutputErrored   OutputEvent = "errored"   // the try failed, another one follows
	OutputExhausted OutputEvent = "exhausted" // the try failed and no other follows
	OutputStopped   OutputEvent = "stopped"   // a cancel was asked for and carried out
)

// outputMachine is every state of an output and every way out of it (service.md, States and transitions; decisions.md,
// Prompts, generation, outputs, chat).
var outputMachine = fsm.New("output", OutputQueued, fsm.Table[OutputStatus, OutputEvent]{
	OutputQueued: {
		OutputFinished: OutputCompleted, OutputErrored: OutputRetrying, OutputExhausted: OutputFailed, OutputStopped: OutputCanceled,
	},
	OutputRetrying: {
		OutputFinished: OutputCompleted, OutputErrored: OutputRetrying, OutputExhausted: OutputFailed, OutputStopped: OutputCanceled,
	},
	OutputCompleted: {},
	OutputFailed:    {},
	OutputCanceled:  {},
})

// Over reports whether nothing more happens to an output in this status.
func (s OutputStatus) Over() bool { return outputMachine.Terminal(s) }

// apply moves the output; it is the only place that assigns its status.
func (o *Output) apply(event OutputEvent) error {
	next, err := outputMachine.Next(o.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Output", "The output is already %s.", o.Status).Because(err)
	}
	o.Status = next
	return nil
}

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/soundstage-dev/soundstage/engine"
)

// addResult is what became of an input.
type addResult string

const (
	resultAdded   addResult = "added"   // it is in the library now, with its transcript
	resultKnown   addResult = "known"   // it was in the library before
	resultChanged addResult = "changed" // it was in the library before, and the file has changed since
	resultSkipped addResult = "skipped" // a file of a folder that isn't media with sound
	resultFailed  addResult = "failed"
)

// addition is a source with what became of it.
type addition struct {
	source    source
	result    addResult
	recording engine.Recording // zero if there is none
	err       error            // of resultFailed and resultSkipped
}

// MarshalJSON returns the form of --json.
func (a addition) MarshalJSON() ([]byte, error) {
	out := struct {
		Result    addResult         `json:"result"`
		Input     string            `json:"input"`
		Recording *libraryRecording `json:"recording,omitempty"`
		Code      engine.Code       `json:"code,omitempty"`
		Error     string            `json:"error,omitempty"`
		Hint      string            `json:"hint,omitempty"`
	}{Result: a.result, Input: a.source.name}
	if a.recording.ID != "" {
		r := describeRecording(a.recording)
		out.Recording = &r
	}
	if a.err != nil {
		out.Code, out.Error, out.Hint = engine.CodeOf(a.err), engine.Message(a.err), hintOf(a.err)
	}
	return json.Marshal(out)
}

// String returns the line for a terminal.
func (a addition) String() string {
	name := cleanName(a.source.name)
	if a.recording.ID != "" {
		name = fmt.Sprintf("#%d %s (%s)", a.recording.Number, a.recording.Title, cmp.Or(name, string(a.recording.ID)))
	}
	switch {
	case a.err != nil && a.recording.ID != "" && slices.Contains(passing, engine.CodeOf(a.err)):
		return fmt.Sprintf("%-8s %s: %s The next add tries again.", a.result, name, engine.Message(a.err))
	case a.err != nil && a.recording.ID != "":
		return fmt.Sprintf("%-8s %s: %s Delete the recording to add it again.", a.result, name, engine.Message(a.err))
	case a.err != nil:
		return fmt.Sprintf("%-8s %s: %s", a.result, name, engine.Message(a.err))
	case a.result == resultChanged:
		return fmt.Sprintf("%-8s %s: the file has changed since; delete the recording to add it again", a.result, name)
	}
	return fmt.Sprintf("%-8s %s", a.result, name)
}

// addOutput prints results. It isn't safe for concurrent use.
type addOutput struct {
	std      streams
	asJSON   bool
	progress *libraryProgress
	counts   map[addResult]int
	failed   []error
	warned   map[string]bool
}

func newAddOutput(std streams, asJSON bool, p *libraryProgress) *addOutput {
	return &addOutput{std: std, asJSON: asJSON, progress: p, counts: map[addResult]int{}, warned: map[string]bool{}}
}

// print prints a result. What was known is only in JSON and in the summary.
func (o *addOutput) print(a addition) {
	o.counts[a.result]++
	if a.result == resultFailed {
		o.failed = append(o.failed, a.err)
	}
	o.progress.print(func() {
		switch {
		case o.asJSON:
			_ = json.NewEncoder(o.std.out).Encode(a)
		case a.result != resultKnown:
			fmt.Fprintln(o.std.out, a)
		}
	})
}

// warn prints a problem that is no result, once.
func (o *addOutput) warn(problem error) {
	if o.warned[problem.Error()] {
		return
	}
	o.warned[problem.Error()] = true
	o.progress.print(func() { fmt.Fprintln(o.std.err, explain(problem)) })
}

// summary prints how many results there are.
func (o *addOutput) summary() {
	if o.asJSON {
		return
	}
	line := fmt.Sprintf("%d added, %d already there", o.counts[resultAdded], o.counts[resultKnown]+o.counts[resultChanged])
	if n := o.counts[resultSkipped]; n > 0 {
		line += fmt.Sprintf(", %d skipped", n)
	}
	if n := o.counts[resultFailed]; n > 0 {
		line += fmt.Sprintf(", %d failed", n)
	}
	o.progress.print(func() { fmt.Fprintln(o.std.out, line) })
}

package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// TranscriptStatus is the state of a Transcript, and of a Recording's transcript: stored form and wire form.
type TranscriptStatus string

const (
	TranscriptQueued     TranscriptStatus = "queued"     // accepted, nothing done yet
	TranscriptProcessing TranscriptStatus = "processing" // being downloaded, transcribed or diarized
	TranscriptCompleted  TranscriptStatus = "completed"  // the utterances are there
	TranscriptError      TranscriptStatus = "error"      // it failed for good; Error says why
)

// TranscriptEvent is what happens to a Transcript.
type TranscriptEvent string

const (
	TranscriptStarted  TranscriptEvent = "started"  // a worker took it up for the first time
	TranscriptFinished TranscriptEvent = "finished" // the words are known
	TranscriptFailed   TranscriptEvent = "failed"   // it can't be done
)

// transcriptMachine is every state of a transcript and every way out of it (service.md, States and transitions).
var transcriptMachine = fsm.New("transcript", TranscriptQueued, fsm.Table[TranscriptStatus, TranscriptEvent]{
	TranscriptQueued:     {TranscriptStarted: TranscriptProcessing, TranscriptFailed: TranscriptError},
	TranscriptProcessing: {TranscriptFinished: TranscriptCompleted, TranscriptFailed: TranscriptError},
	TranscriptCompleted:  {},
	TranscriptError:      {},
})

// Over reports whether nothing more happens to a transcript in this status.
func (s TranscriptStatus) Over() bool { return transcriptMachine.Terminal(s) }

// apply moves the transcript, and the recording that it belongs to (nil for a URL's): it is the only place that assigns
// either status, so that the two never differ.
func (t *Transcript) apply(event TranscriptEvent, r *Recording) error {
	next, err := transcriptMachine.Next(t.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Transcript", "The transcript is already %s.", t.Status).Because(err)
	}
	t.Status = next
	if r != nil {
		r.TranscriptStatus = next
	}
	return nil
}

package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// TranscriptStatus is the state of a Transcript, and of a Recording's transcript: stored form and wire form.
type TranscriptStatus string

const (
	TranscriptQueued     TranscriptStatus = "queued"     // waiting for a worker
	TranscriptProcessing TranscriptStatus = "processing" // being downloaded, transcribed, or diarized
	TranscriptCompleted  TranscriptStatus = "completed"  // the utterances are stored
	TranscriptError      TranscriptStatus = "error"      // failed permanently; Error says why
)

// TranscriptEvent is a transition of a Transcript.
type TranscriptEvent string

const (
	TranscriptStarted  TranscriptEvent = "started"  // a worker started its first attempt
	TranscriptFinished TranscriptEvent = "finished" // the words and speakers are known
	TranscriptFailed   TranscriptEvent = "failed"   // it failed permanently
	TranscriptRetried  TranscriptEvent = "retried"  // RetryTranscript was called
)

// transcriptMachine is every state of a transcript and every transition (specification, "States and transitions").
var transcriptMachine = fsm.New("transcript", TranscriptQueued, fsm.Table[TranscriptStatus, TranscriptEvent]{
	TranscriptQueued:     {TranscriptStarted: TranscriptProcessing, TranscriptFailed: TranscriptError},
	TranscriptProcessing: {TranscriptFinished: TranscriptCompleted, TranscriptFailed: TranscriptError},
	TranscriptCompleted:  {},
	TranscriptError:      {TranscriptRetried: TranscriptQueued},
}).Reopening(TranscriptRetried)

// Over reports whether the status is final.
func (s TranscriptStatus) Over() bool { return transcriptMachine.Terminal(s) }

// apply changes the status of the transcript and of its recording (nil for a URL's transcript, and for one that TranscribeAgain is still
// making). Only follow assigns one of them, too, so the two are always equal.
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

// follow makes a new transcript the recording's.
func (r *Recording) follow(t Transcript) { r.TranscriptID, r.TranscriptStatus = t.ID, t.Status }

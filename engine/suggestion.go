package engine

import (
	"context"
	"errors"
	"time"

	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// SuggestionID identifies a Suggestion.
type SuggestionID string

// Suggestion is a suggested clip or carousel of a recording.
type Suggestion struct {
	ID          SuggestionID
	RecordingID RecordingID
	clips.Suggestion
	CreatedAt time.Time
}

// ListSuggestions returns the suggestions for a recording, best first. If there are none and generate is true, it queues a job that makes
// them, unless one is queued or running. Errors: CodeNotFound, CodeNotReady (the transcript is not completed; the message has its
// status).
func (e *Engine) ListSuggestions(ctx context.Context, c Caller, id RecordingID, generate bool) (found []Suggestion, err error) {
	const op = "ListSuggestions"
	err = e.store.View(ctx, func(tx ReadTx) error {
		found, err = suggestionsOf(tx, c, id)
		return err
	})
	if err == nil && generate && len(found) == 0 {
		err = e.update(ctx, func(tx Tx) error {
			if found, err = suggestionsOf(tx, c, id); err != nil || len(found) > 0 {
				return err
			}
			return tx.Enqueue(e.newJob(JobSuggest, string(id), string(c.AccountID), e.now()))
		})
	}
	if err != nil {
		return nil, wrap(op, err)
	}
	return found, nil
}

// WaitSuggestions waits until the recording's transcript is completed, makes suggestions if there are none, and returns them, best first. A
// recording without speech has none. If the transcription or the job that makes them failed, the error says why; if only TranscribeAgain
// failed, they are those of the old transcript. Other errors: those of GetRecording, and ctx's.
func (e *Engine) WaitSuggestions(ctx context.Context, c Caller, id RecordingID) (found []Suggestion, err error) {
	const op = "WaitSuggestions"
	if err := e.waitText(ctx, c, id); err != nil {
		return nil, wrap(op, err)
	}
	var job queue.Job
	if err := e.update(ctx, func(tx Tx) error {
		if found, err = suggestionsOf(tx, c, id); err != nil || len(found) > 0 {
			return err
		}
		if err := tx.Enqueue(e.newJob(JobSuggest, string(id), string(c.AccountID), e.now())); err != nil {
			return err
		}
		job, err = tx.JobByKey(queue.Key(JobSuggest, string(id)))
		return err
	}); err != nil || len(found) > 0 {
		return found, wrap(op, err)
	}
	found, err = waitFor(ctx, e, func() (found []Suggestion, over bool, err error) {
		err = e.store.View(ctx, func(tx ReadTx) error {
			if found, err = suggestionsOf(tx, c, id); err != nil || len(found) > 0 {
				return err
			}
			job, err = tx.Job(job.ID)
			return err
		})
		return found, len(found) > 0 || job.Status.Terminal(), err
	})
	if err == nil && len(found) == 0 {
		err = suggestFailure(job)
	}
	return found, wrap(op, err)
}

// suggestFailure returns the error of a job that is over and made no suggestions, or nil.
func suggestFailure(j queue.Job) error {
	switch j.Status {
	case queue.Completed:
		return nil
	case queue.Canceled:
		return &Error{Code: CodeCanceled, Msg: Message(queue.ErrCanceled)}
	}
	return Errorf(CodeInternal, "", "The suggestions could not be made.").Because(errors.New(j.LastError))
}

func suggestionsOf(tx ReadTx, c Caller, id RecordingID) ([]Suggestion, error) {
	r, _, err := visibleRecording(tx, c, id)
	if err != nil {
		return nil, err
	}
	if !r.HasTranscript() {
		return nil, Errorf(CodeNotReady, "", "The transcript is not ready: its status is %s, and suggestions require a completed transcript.", r.TranscriptStatus)
	}
	return tx.Suggestions(id)
}

// suggestionWindow returns the window and the title of a suggested clip of a recording that the caller may see. Errors: CodeNotFound,
// CodeInvalid (a carousel has no window).
func suggestionWindow(tx ReadTx, recording RecordingID, id SuggestionID) (transcript.Window, string, error) {
	s, err := tx.Suggestion(id)
	if err == nil && s.RecordingID != recording {
		err = NotFound("", "clip suggestion")
	}
	if err != nil {
		return transcript.Window{}, "", addRule(CodeNotFound, "render.suggestion-unknown", err)
	}
	if s.Kind != clips.KindClip {
		return transcript.Window{}, "", Errorf(CodeInvalid, "", "A %s can't be rendered.", s.Kind).WithRule("render.suggestion-without-window").WithHint("Use a suggestion of kind clip.")
	}
	return s.Window, s.Title, nil
}

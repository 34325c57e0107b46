package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"

	"github.com/soundstage-dev/soundstage/engine/clips"
)

// runSuggest makes the suggestions for a recording with the language model, if it can. If the model keeps failing, it uses the built-in
// rules of package clips.
func (e *Engine) runSuggest(ctx context.Context, w *work) (func(Tx) error, error) {
	id := RecordingID(w.job.Ref)
	var r Recording
	var t Transcript
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		if r, err = tx.Recording(id); err != nil {
			return err
		}
		t, err = tx.Transcript(r.TranscriptID)
		return err
	})
	if err != nil {
		return nil, err
	}
	var made []clips.Suggestion
	if e.suggester != nil && len(t.Utterances) > 0 {
		made, err = e.askSuggester(ctx, t)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil && classify(err).Retryable && !w.attempt.Last {
			return nil, err
		}
		if err != nil {
			e.log.Warn("suggestions are made without the language model", "recording", id, "err", err)
		}
	}
	if len(made) == 0 {
		made = clips.Suggest(t.Transcript)
	}
	rows := make([]Suggestion, len(made))
	for i, s := range made {
		rows[i] = Suggestion{ID: SuggestionID(e.idOf("suggestion", string(w.job.ID), strconv.Itoa(w.job.Attempt), strconv.Itoa(i))), RecordingID: id, Suggestion: s, CreatedAt: e.now()}
	}
	return func(tx Tx) error {
		if _, err := tx.Recording(id); err != nil {
			return err // it was deleted
		}
		if there, err := tx.Suggestions(id); err != nil || len(there) > 0 {
			return err
		}
		if now, err := tx.Recording(id); err != nil || now.Revision != r.Revision {
			return firstError(err, Errorf(CodeUnavailable, "Suggest", "The transcript was changed while the suggestions were made.").Transient())
		}
		for _, s := range rows {
			if err := tx.PutSuggestion(s); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// askSuggester returns the language model's suggestions that pass clips.Check. If none does, the error is retryable.
func (e *Engine) askSuggester(ctx context.Context, t Transcript) (made []clips.Suggestion, err error) {
	const op = "Suggest"
	defer func() {
		if p := recover(); p != nil {
			e.log.Error("the suggester panicked", "panic", p, "stack", string(debug.Stack()))
			made, err = nil, &Error{Code: CodeInternal, Op: op, Err: fmt.Errorf("panic: %v", p)}
		}
	}()
	limited, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	suggested, err := e.suggester.Suggest(limited, t, clips.MaxClips+clips.MaxCarousels)
	if err != nil && errors.Is(limited.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, Errorf(CodeUnavailable, op, "The language model took too long to answer.").Because(err).Transient()
	}
	if err != nil {
		return nil, err
	}
	if made = clips.Check(t.Transcript, suggested); len(made) == 0 {
		return nil, Errorf(CodeUnavailable, op, "The language model gave no usable suggestion.").Transient()
	}
	return made, nil
}

package engine

import (
	"context"
	"errors"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// runGenerate generates the text of an output.
func (e *Engine) runGenerate(ctx context.Context, w *work) (func(Tx) error, error) {
	id := OutputID(w.job.Ref)
	var o Output
	var m material
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		if o, err = tx.Output(id); err != nil {
			return err
		}
		m, err = readMaterial(tx, o.RecordingID)
		return err
	})
	if err != nil {
		return nil, err
	}
	req := e.addPassages(WriteRequest{Task: TaskGenerate, Type: o.Type, Prompt: o.Prompt}, m)
	if len(req.Passages) == 0 {
		return nil, Errorf(CodeNoSpeech, "Generate", "The recording has no speech to generate content from.")
	}
	text, err := e.write(ctx, req)
	if err != nil {
		return nil, err
	}
	return func(tx Tx) error {
		o, err := tx.Output(id)
		if err != nil {
			return err
		}
		o.Text = text
		return e.moveOutput(tx, o, OutputFinished)
	}, nil
}

// moveOutput applies an event to an output and writes it. A completed output is also indexed, and its event queued.
func (e *Engine) moveOutput(tx Tx, o Output, event OutputEvent) error {
	if _, err := tx.Recording(o.RecordingID); err != nil {
		return err // it was deleted
	}
	if err := o.apply(event); err != nil {
		return err
	}
	o.UpdatedAt = e.now()
	if err := tx.PutOutput(o); err != nil || o.Status != OutputCompleted {
		return err
	}
	return errors.Join(indexOutput(tx, o), e.emitOutput(tx, o))
}

// retryOutput records a failed attempt that will be retried.
func (e *Engine) retryOutput(tx Tx, j queue.Job, _ error) error {
	o, err := tx.Output(OutputID(j.Ref))
	if err != nil {
		return err
	}
	return e.moveOutput(tx, o, OutputErrored)
}

// failOutput ends an output whose job failed permanently or was canceled.
func (e *Engine) failOutput(tx Tx, j queue.Job, cause error) error {
	o, err := tx.Output(OutputID(j.Ref))
	if err != nil {
		return err
	}
	o.Error = Message(cause)
	o.ErrorCode, o.ErrorHint, o.ErrorRule = details(cause)
	if errors.Is(cause, queue.ErrCanceled) {
		return e.moveOutput(tx, o, OutputStopped)
	}
	return e.moveOutput(tx, o, OutputExhausted)
}

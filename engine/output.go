package engine

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// OutputID identifies an Output.
type OutputID string

// Output is content generated from a recording's transcript.
type Output struct {
	ID          OutputID
	RecordingID RecordingID
	SpaceID     SpaceID
	UserID      UserID   // who requested it; "" when it was generated automatically
	PromptID    PromptID // "" for a one-off prompt
	Type        OutputType
	Name        string // of its prompt
	Prompt      string // the instruction when the output was requested
	Status      OutputStatus
	Text        string // markdown; "" until completed
	Error       string // one sentence; only when failed or canceled
	ErrorCode   Code   // of the error; "" if it failed before codes were stored
	ErrorHint   string // what to do about the error; "" when unknown
	ErrorRule   Rule   // of the error; "" when its code is enough
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// NewOutput is the request to generate content. Exactly one of PromptID and Prompt is required.
type NewOutput struct {
	RecordingID RecordingID
	PromptID    PromptID // a custom prompt of the recording's space
	Prompt      string   // a one-off instruction
	Name        string   // of a one-off prompt
}

// Validate returns what is wrong with the request, as CodeInvalid.
func (n NewOutput) Validate() error {
	const op = "GenerateOutput"
	switch {
	case n.PromptID == "" && strings.TrimSpace(n.Prompt) == "":
		return Errorf(CodeInvalid, op, "Exactly one of prompt_id and prompt is required; neither is given.").WithRule("output.exactly-one-prompt")
	case n.PromptID != "" && n.Prompt != "":
		return Errorf(CodeInvalid, op, "Exactly one of prompt_id and prompt is required; both are given.").WithRule("output.exactly-one-prompt")
	}
	if err := input.CheckLine(op, "name", n.Name); err != nil {
		return err
	}
	return input.CheckText(op, "prompt", n.Prompt)
}

// GenerateOutput queues the generation of content from a recording. Errors: CodeInvalid (not exactly one prompt, or a built-in one),
// CodeNotFound (the recording, the prompt), CodeNotReady (the transcript is not completed; the message has its status), CodeUnavailable.
func (e *Engine) GenerateOutput(ctx context.Context, c Caller, n NewOutput) (Output, error) {
	const op = "GenerateOutput"
	if err := n.Validate(); err != nil {
		return Output{}, err
	}
	if e.llm == nil {
		return Output{}, Errorf(CodeUnavailable, op, "Generation is not configured.").WithHint("Set Config.LLM.")
	}
	var o Output
	err := e.update(ctx, func(tx Tx) error {
		o = Output{UserID: c.UserID, Type: OutputDynamic, Name: strings.TrimSpace(n.Name), Prompt: n.Prompt}
		r, space, err := visibleRecording(tx, c, n.RecordingID)
		if err != nil {
			return err
		}
		if n.PromptID != "" {
			p, err := tx.Prompt(n.PromptID)
			if err == nil && p.SpaceID != r.SpaceID {
				err = NotFound(op, "prompt")
			}
			if err != nil {
				return addRule(CodeNotFound, "output.prompt-unknown", err)
			}
			if !p.Custom() {
				return Errorf(CodeInvalid, op, "Built-in prompts can't be run on demand.").WithRule("output.prompt-built-in").WithHint("Give the instruction as prompt, or create a custom prompt.")
			}
			o.PromptID, o.Name, o.Prompt = p.ID, p.Name, p.Text
		}
		if !r.HasTranscript() {
			return Errorf(CodeNotReady, op, "The transcript is not ready: its status is %s, and generation requires a completed transcript.", r.TranscriptStatus)
		}
		o.ID = OutputID(e.ids.NewID("output"))
		o, err = e.putOutput(tx, r, space, o)
		return err
	})
	if err != nil {
		return Output{}, wrap(op, err)
	}
	return o, nil
}

// putOutput writes a new output of a recording, which has its id, and enqueues its job.
func (e *Engine) putOutput(tx Tx, r Recording, s Space, o Output) (Output, error) {
	now := e.created("output")
	o.RecordingID, o.SpaceID, o.Status = r.ID, r.SpaceID, outputMachine.Initial()
	o.CreatedAt, o.UpdatedAt = now, now
	if err := tx.PutOutput(o); err != nil {
		return Output{}, err
	}
	return o, tx.Enqueue(e.firstJob(JobGenerate, string(o.ID), string(s.AccountID), e.now()))
}

// generateFor queues the automatic outputs of a recording: one for each custom prompt of its space, and one for each built-in prompt if
// the space has AutoGenerate. It is called only in the transaction that completes the transcript, so that each prompt runs once, even
// after a crash.
func (e *Engine) generateFor(tx Tx, r Recording) error {
	if e.llm == nil {
		return nil
	}
	space, err := tx.Space(r.SpaceID)
	if err != nil {
		return err
	}
	prompts, err := tx.Prompts(r.SpaceID)
	if err != nil {
		return err
	}
	for _, p := range prompts {
		if p.Disabled || (!p.Custom() && !space.AutoGenerate) {
			continue
		}
		o := Output{ID: OutputID(e.idOf("output", string(r.ID), string(p.ID))), PromptID: p.ID, Type: p.Type, Name: p.Name, Prompt: p.Text}
		if _, err := e.putOutput(tx, r, space, o); err != nil {
			return err
		}
	}
	return nil
}

// GetOutput returns an output of a recording that the caller may see, in any status, or CodeNotFound.
func (e *Engine) GetOutput(ctx context.Context, c Caller, id OutputID) (o Output, err error) {
	const op = "GetOutput"
	err = e.store.View(ctx, func(tx ReadTx) error {
		if o, err = tx.Output(id); err != nil {
			return err
		}
		if _, _, err := visibleRecording(tx, c, o.RecordingID); err != nil {
			return notFoundAs(op, "output", err)
		}
		return nil
	})
	if err != nil {
		return Output{}, wrap(op, err)
	}
	return o, nil
}

// ListOutputs returns the outputs of a recording, oldest first: those of one type, or all for "". Errors: CodeNotFound.
func (e *Engine) ListOutputs(ctx context.Context, c Caller, id RecordingID, t OutputType) (outputs []Output, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		if _, _, err := visibleRecording(tx, c, id); err != nil {
			return err
		}
		all, err := tx.Outputs(id)
		for _, o := range all {
			if t == "" || o.Type == t {
				outputs = append(outputs, o)
			}
		}
		return err
	})
	return outputs, wrap("ListOutputs", err)
}

// WaitOutput waits until the output is completed, and returns it. If it failed or was canceled, the error says why, and the output is
// returned, too. Other errors: those of GetOutput, and ctx's.
func (e *Engine) WaitOutput(ctx context.Context, c Caller, id OutputID) (Output, error) {
	o, err := waitFor(ctx, e, func() (Output, bool, error) {
		o, err := e.GetOutput(ctx, c, id)
		return o, o.Status.Over(), err
	})
	return o, wrap("WaitOutput", cmp.Or(err, o.failure()))
}

// CancelOutput cancels the generation of an output. It is not part of /v1. Errors: CodeNotFound, CodeConflict (the output is over).
func (e *Engine) CancelOutput(ctx context.Context, c Caller, id OutputID) error {
	const op = "CancelOutput"
	o, err := e.GetOutput(ctx, c, id)
	if err != nil {
		return err
	}
	n, err := e.CancelJobsOf(ctx, string(o.ID))
	if err == nil && n == 0 {
		err = Errorf(CodeConflict, op, "The output is already %s.", o.Status)
	}
	return wrap(op, err)
}

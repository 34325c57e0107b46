package engine

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/builtin"
	"github.com/soundstage-dev/soundstage/engine/input"
)

type (
	// PromptID identifies a Prompt.
	PromptID string
	// OutputType is the kind of content a prompt generates: OutputDynamic for custom prompts, else the built-in prompt.
	OutputType string
)

const (
	OutputDynamic     OutputType = "dynamic"           // any custom prompt
	OutputOverview    OutputType = builtin.Overview    // built-in: what the recording is about
	OutputQuotes      OutputType = builtin.Quotes      // built-in: lines worth quoting, verbatim
	OutputKeyTopics   OutputType = builtin.KeyTopics   // built-in: what the recording covers
	OutputChapters    OutputType = builtin.Chapters    // built-in: parts with times
	OutputSocialPosts OutputType = builtin.SocialPosts // built-in: posts that make people want to listen
)

// Prompt is an instruction to generate content from a transcript. A space starts with the built-in prompts. Custom prompts run on every
// new recording of the space, and on demand.
type Prompt struct {
	ID          PromptID
	SpaceID     SpaceID
	Name        string
	Type        OutputType // OutputDynamic for a custom prompt
	Description string
	Text        string // the instruction
	Disabled    bool   // disabled prompts don't run on new recordings
	CreatedAt   time.Time
}

// Custom reports whether the prompt is not built in. Only custom prompts can run on demand.
func (p Prompt) Custom() bool { return p.Type == OutputDynamic }

// Validate returns what is wrong with the prompt, as CodeInvalid.
func (p Prompt) Validate() error {
	const op = "Prompt"
	switch {
	case strings.TrimSpace(p.Name) == "":
		return Errorf(CodeInvalid, op, "name is required.").WithRule("prompt.name-required")
	case strings.TrimSpace(p.Text) == "":
		return Errorf(CodeInvalid, op, "prompt is required.").WithRule("prompt.text-required")
	}
	if err := input.CheckLine(op, "name", p.Name); err != nil {
		return err
	}
	if err := input.CheckText(op, "description", p.Description); err != nil {
		return err
	}
	return input.CheckText(op, "prompt", p.Text)
}

// BuiltInTypes returns the output types of the built-in prompts.
func BuiltInTypes() []OutputType {
	prompts := builtin.Prompts()
	types := make([]OutputType, len(prompts))
	for i, p := range prompts {
		types[i] = OutputType(p.Type)
	}
	return types
}

// putBuiltins writes the built-in prompts of a new space.
func (e *Engine) putBuiltins(tx Tx, s Space) error {
	for _, p := range builtin.Prompts() {
		if err := tx.PutPrompt(Prompt{
			ID: PromptID(e.ids.NewID("prompt")), SpaceID: s.ID, CreatedAt: e.created("prompt"),
			Type: OutputType(p.Type), Name: p.Name, Description: p.Description, Text: p.Text,
		}); err != nil {
			return err
		}
	}
	return nil
}

// NewPrompt is the request for a custom prompt.
type NewPrompt struct {
	SpaceID     SpaceID // default the caller's default space
	Name        string  // required
	Text        string  // required
	Description string
}

// CreatePrompt creates a custom prompt, which runs on every new recording of the space and on demand. Errors: CodeInvalid, CodeNotFound
// (the space), CodeConflict (the space is inactive).
func (e *Engine) CreatePrompt(ctx context.Context, c Caller, n NewPrompt) (Prompt, error) {
	const op = "CreatePrompt"
	p := Prompt{
		ID: PromptID(e.ids.NewID("prompt")), SpaceID: SpaceID(cmp.Or(string(n.SpaceID), string(c.DefaultSpaceID))), Name: strings.TrimSpace(n.Name),
		Type: OutputDynamic, Description: n.Description, Text: n.Text, CreatedAt: e.created("prompt"),
	}
	if err := p.Validate(); err != nil {
		return Prompt{}, wrap(op, err)
	}
	err := e.update(ctx, func(tx Tx) error {
		if _, err := activeSpace(tx, c, p.SpaceID); err != nil {
			return err
		}
		return tx.PutPrompt(p)
	})
	if err != nil {
		return Prompt{}, wrap(op, err)
	}
	return p, nil
}

// ListPrompts returns a space (the caller's default for "") and its prompts, oldest first: built-in ones, then custom ones. Errors:
// CodeNotFound (the space).
func (e *Engine) ListPrompts(ctx context.Context, c Caller, id SpaceID) (s Space, prompts []Prompt, err error) {
	if id == "" {
		id = c.DefaultSpaceID
	}
	err = e.store.View(ctx, func(tx ReadTx) error {
		if s, err = memberSpace(tx, c, id); err != nil {
			return err
		}
		prompts, err = tx.Prompts(id)
		return err
	})
	return s, prompts, wrap("ListPrompts", err)
}

// UpdatePrompt changes Name, Description, Text, and Disabled of a prompt. Changes to other fields are ignored. change may be called more
// than once. It is not part of /v1. Errors: CodeInvalid, CodeNotFound.
func (e *Engine) UpdatePrompt(ctx context.Context, c Caller, id PromptID, change func(*Prompt) error) (p Prompt, err error) {
	const op = "UpdatePrompt"
	err = e.update(ctx, func(tx Tx) error {
		old, err := tx.Prompt(id)
		if err != nil {
			return err
		}
		if _, err := memberSpace(tx, c, old.SpaceID); err != nil {
			return notFoundAs(op, "prompt", err)
		}
		p = old
		if err := change(&p); err != nil {
			return err
		}
		p.ID, p.SpaceID, p.Type, p.CreatedAt = old.ID, old.SpaceID, old.Type, old.CreatedAt
		if err := p.Validate(); err != nil {
			return err
		}
		return tx.PutPrompt(p)
	})
	if err != nil {
		return Prompt{}, wrap(op, err)
	}
	return p, nil
}

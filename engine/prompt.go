package engine

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
)

type (
	// PromptID identifies a Prompt.
	PromptID string
	// OutputType says what kind of content a prompt makes: OutputDynamic for custom prompts, else which built-in made it.
	OutputType string
)

const (
	OutputDynamic     OutputType = "dynamic"          // of a custom prompt
	OutputOverview    OutputType = "episode_overview" // built-in: what it is about
	OutputQuotes      OutputType = "quotes"           // built-in: what is worth quoting, verbatim
	OutputKeyTopics   OutputType = "key_topics"       // built-in: what it deals with
	OutputChapters    OutputType = "chapters"         // built-in: its parts, with times
	OutputSocialPosts OutputType = "social_posts"     // built-in: posts that make people listen
)

// Prompt is an instruction to make content of a transcript. A space starts with the built-in ones; custom prompts are
// recurring: they run on every new recording of the space, and can be run on demand.
type Prompt struct {
	ID          PromptID
	SpaceID     SpaceID
	Name        string
	Type        OutputType // OutputDynamic for a custom prompt, else the built-in that it is
	Description string
	Text        string // the instruction
	Disabled    bool   // a disabled prompt doesn't run on new recordings
	CreatedAt   time.Time
}

// Custom reports whether the prompt is no built-in: only custom prompts can be run on demand.
func (p Prompt) Custom() bool { return p.Type == OutputDynamic }

// Validate reports what is wrong with the prompt, as CodeInvalid.
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

// builtins is the prompt library that a space starts with (decisions.md, Prompts, generation, outputs, chat).
var builtins = []Prompt{
	{
		Type: OutputOverview, Name: "Overview", Description: "What the recording is about.",
		Text: "Write an overview of this recording: a short paragraph on what it is about and who speaks, then its main points as a list.",
	},
	{
		Type: OutputQuotes, Name: "Quotes", Description: "The lines that are worth quoting, with speaker and time.",
		Text: "Choose the lines that are most worth quoting. Give each one word for word, with who says it and when.",
	},
	{
		Type: OutputKeyTopics, Name: "Key topics", Description: "What the recording deals with.",
		Text: "List the key topics of this recording, and say in one sentence each what is said about them.",
	},
	{
		Type: OutputChapters, Name: "Chapters", Description: "The parts of the recording, with their times.",
		Text: "Divide this recording into chapters. Give each one its time and a title.",
	},
	{
		Type: OutputSocialPosts, Name: "Social posts", Description: "Posts that make people want to listen.",
		Text: "Write social media posts that make people want to listen to this recording.",
	},
}

// BuiltInTypes returns the output types of the built-in prompts.
func BuiltInTypes() []OutputType {
	types := make([]OutputType, len(builtins))
	for i, p := range builtins {
		types[i] = p.Type
	}
	return types
}

// putBuiltins writes the built-in prompts of a new space. They are a microsecond apart, so that they are listed in order.
func (e *Engine) putBuiltins(tx Tx, s Space) error {
	for i, p := range builtins {
		p.ID, p.SpaceID, p.CreatedAt = PromptID(e.ids.NewID("prompt")), s.ID, s.CreatedAt.Add(time.Duration(i)*time.Microsecond)
		if err := tx.PutPrompt(p); err != nil {
			return err
		}
	}
	return nil
}

// NewPrompt is the request for a custom recurring prompt.
type NewPrompt struct {
	SpaceID     SpaceID // default the caller's default space
	Name        string  // required
	Text        string  // required
	Description string
}

// CreatePrompt makes a recurring prompt: it runs on every new recording of the space, and can be run on demand. Errors:
// CodeInvalid, CodeNotFound (the space), CodeConflict (the space is inactive).
func (e *Engine) CreatePrompt(ctx context.Context, c Caller, n NewPrompt) (Prompt, error) {
	const op = "CreatePrompt"
	p := Prompt{
		ID: PromptID(e.ids.NewID("prompt")), SpaceID: SpaceID(cmp.Or(string(n.SpaceID), string(c.DefaultSpaceID))), Name: strings.TrimSpace(n.Name),
		Type: OutputDynamic, Description: n.Description, Text: n.Text, CreatedAt: e.now(),
	}
	if err := p.Validate(); err != nil {
		return Prompt{}, wrap(op, err)
	}
	err := e.update(ctx, func(tx Tx) error {
		if _, err := openSpace(tx, c, p.SpaceID); err != nil {
			return err
		}
		return tx.PutPrompt(p)
	})
	if err != nil {
		return Prompt{}, wrap(op, err)
	}
	return p, nil
}

// ListPrompts returns a space, the caller's default one for "", and its prompts, oldest first: the built-in ones, then the
// custom ones. Errors: CodeNotFound (the space).
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

// UpdatePrompt changes a prompt's Name, Description, Text and Disabled: whatever change does to the rest is ignored. change
// may be run again. Not part of /v1. Errors: CodeInvalid, CodeNotFound.
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

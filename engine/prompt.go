package engine

import (
	"strings"
	"time"
	"unicode/utf8"
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

// maxPrompt is the longest text of a prompt, a question or a description, in characters.
const maxPrompt = 10_000

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
		return Errorf(CodeInvalid, op, "name is required.")
	case strings.TrimSpace(p.Text) == "":
		return Errorf(CodeInvalid, op, "prompt is required.")
	}
	if err := validText(op, "name", p.Name); err != nil {
		return err
	}
	if err := validLongText(op, "description", p.Description); err != nil {
		return err
	}
	return validLongText(op, "prompt", p.Text)
}

// validLongText refuses texts that could not be stored or given to a model. Line breaks and tabs are fine.
func validLongText(op, field, s string) error {
	switch {
	case !utf8.ValidString(s):
		return Errorf(CodeInvalid, op, "%s is not valid UTF-8.", field)
	case hasControl(strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(s)):
		return Errorf(CodeInvalid, op, "%s has control characters.", field)
	case utf8.RuneCountInString(s) > maxPrompt:
		return Errorf(CodeInvalid, op, "%s is longer than %d characters.", field, maxPrompt)
	}
	return nil
}

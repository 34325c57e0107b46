package llm

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	// DefaultContextTokens is the default of Config.ContextTokens. Every current model supports it; a longer recording is
	// read in excerpts. A higher value gives better answers. One that exceeds the server's real context is detected; see
	// Model.
	DefaultContextTokens = 8192
	// DefaultAnswerTokens is the default of Config.AnswerTokens. Every current model supports it.
	DefaultAnswerTokens = 4096

	// MinContextTokens is the least Config.ContextTokens.
	MinContextTokens = 2048
	// MinAnswerTokens is the least Config.AnswerTokens.
	MinAnswerTokens = 256
)

// Config configures a Model.
type Config struct {
	Completer     Completer // required
	Name          string    // the server's name in errors: "OpenAI"
	Model         string    // the model's name in errors: "gpt-4o-mini"; "" if unknown
	ContextTokens int       // context size: request and answer together; default DefaultContextTokens
	AnswerTokens  int       // token limit of an answer, including reasoning; default DefaultAnswerTokens
}

// Model is a language model that writes, suggests clips, and translates. It is safe for concurrent use. Equal work
// produces equal requests, byte for byte. The hints of its errors name the flags of the command line: --llm-context-tokens is ContextTokens,
// and --llm-answer-tokens is AnswerTokens.
//
// Its methods return the Completer's errors, and CodeInvalid for an unknown task or language. They return
// CodeUnavailable, not Retryable, when a request doesn't fit in the context, when the server truncated the request, when
// an answer was truncated twice, and when the model declined. They return CodeUnavailable, Retryable, when an answer is
// empty or can't be parsed.
type Model struct {
	completer Completer
	name      string // of the server, with that of the model
	context   int
	answer    int
}

var (
	_ engine.LLM        = (*Model)(nil)
	_ engine.Suggester  = (*Model)(nil)
	_ engine.Translator = (*Model)(nil)
)

// New returns a Model. It returns CodeInvalid if the Config is not valid.
func New(c Config) (*Model, error) {
	const op = "llm.New"
	if c.Completer == nil {
		return nil, engine.Errorf(engine.CodeInvalid, op, "Completer must not be nil.")
	}
	if c.Name == "" {
		c.Name = "The language model"
	}
	if c.ContextTokens == 0 {
		c.ContextTokens = DefaultContextTokens
	}
	if c.AnswerTokens == 0 {
		c.AnswerTokens = DefaultAnswerTokens
	}
	if c.ContextTokens < MinContextTokens {
		return nil, engine.Errorf(engine.CodeInvalid, op, "ContextTokens must be at least %d (got %d).", MinContextTokens, c.ContextTokens)
	}
	if c.AnswerTokens < MinAnswerTokens {
		return nil, engine.Errorf(engine.CodeInvalid, op, "AnswerTokens must be at least %d (got %d).", MinAnswerTokens, c.AnswerTokens)
	}
	if c.Model != "" {
		c.Name += " (" + line(c.Model) + ")"
	}
	return &Model{completer: c.Completer, name: c.Name, context: c.ContextTokens, answer: c.AnswerTokens}, nil
}

// ContextTokens returns the Config's ContextTokens.
func (m *Model) ContextTokens() int { return m.context }

// checkCanceled returns CodeCanceled if ctx is done.
func checkCanceled(ctx context.Context, op string) error {
	if err := ctx.Err(); err != nil {
		return engine.Errorf(engine.CodeCanceled, op, "The operation was canceled.").Because(err)
	}
	return nil
}

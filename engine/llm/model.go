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

	minContextTokens = 2048
	minAnswerTokens  = 256
)

// Config configures a Model.
type Config struct {
	Completer     Completer // required
	Name          string    // the server's name in errors: "OpenAI"
	ContextTokens int       // context size: request and answer together; default DefaultContextTokens
	AnswerTokens  int       // token limit of an answer, including reasoning; default DefaultAnswerTokens
}

// Model is a language model that writes, suggests clips, and translates. It is safe for concurrent use. Equal work
// produces equal requests, byte for byte.
//
// Its methods return the Completer's errors, and CodeInvalid for an unknown task or language. They return
// CodeUnavailable, not Retryable, when a request doesn't fit in the context, when the server truncated the request, when
// an answer was truncated twice, and when the model declined. They return CodeUnavailable, Retryable, when an answer is
// empty or can't be parsed.
type Model struct {
	completer Completer
	name      string
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
	if c.ContextTokens < minContextTokens {
		return nil, engine.Errorf(engine.CodeInvalid, op, "context_tokens must be at least %d (got %d).", minContextTokens, c.ContextTokens)
	}
	if c.AnswerTokens < minAnswerTokens {
		return nil, engine.Errorf(engine.CodeInvalid, op, "answer_tokens must be at least %d (got %d).", minAnswerTokens, c.AnswerTokens)
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

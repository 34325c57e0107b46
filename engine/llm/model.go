package llm

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	// DefaultContextTokens is what a model is taken to read where nothing is said: every model in use takes as much, and a recording
	// that is longer is read in excerpts. More makes answers better; more than the server really takes is found out (see Model).
	DefaultContextTokens = 8192
	// DefaultAnswerTokens bounds an answer: no model in use writes less at once.
	DefaultAnswerTokens = 4096

	leastContextTokens = 2048
	leastAnswerTokens  = 256
)

// Config says which model a Model asks.
type Config struct {
	Completer     Completer // required
	Name          string    // of the server, as users know it: "OpenAI"
	ContextTokens int       // of a request and its answer together; default DefaultContextTokens
	AnswerTokens  int       // most tokens of an answer; default DefaultAnswerTokens. A model that reasons spends them on that too
}

// Model is a language model that writes, suggests clips and translates. It is safe for concurrent use. The same requests are sent for the
// same work, byte for byte.
//
// Errors of its methods are the Completer's, and: CodeInvalid for what isn't a task or a language; CodeUnavailable and permanent when a
// request is longer than the context, when the server cut it without a word (its count of tokens is far below what the request has),
// when an answer had no room twice, and when the model declined; CodeUnavailable and Retryable when an answer is empty or can't be read.
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

// New checks a Config, as CodeInvalid, and returns its Model.
func New(c Config) (*Model, error) {
	const op = "llm.New"
	if c.Completer == nil {
		return nil, engine.Errorf(engine.CodeInvalid, op, "There is no language model to ask.")
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
	if c.ContextTokens < leastContextTokens {
		return nil, engine.Errorf(engine.CodeInvalid, op, "context_tokens is %d; a model that reads less than %d tokens is of no use here.", c.ContextTokens, leastContextTokens)
	}
	if c.AnswerTokens < leastAnswerTokens {
		return nil, engine.Errorf(engine.CodeInvalid, op, "answer_tokens is %d; it must be %d at least.", c.AnswerTokens, leastAnswerTokens)
	}
	return &Model{completer: c.Completer, name: c.Name, context: c.ContextTokens, answer: c.AnswerTokens}, nil
}

// ContextTokens is the Config's.
func (m *Model) ContextTokens() int { return m.context }

// over is the error of a ctx that is done, before anything is asked.
func over(ctx context.Context, op string) error {
	if err := ctx.Err(); err != nil {
		return engine.Errorf(engine.CodeCanceled, op, "The operation was canceled.").Because(err)
	}
	return nil
}

package llm

import "context"

// Completer is a language model behind a protocol. It is safe for concurrent use.
type Completer interface {
	// Complete has the model answer one request. Errors are those of a backend: CodeUnavailable, Retryable where another try may help,
	// and CodeCanceled when ctx is done. An answer that a model refused to give, or broke off, is no error: Finish says so.
	Complete(ctx context.Context, r Request) (Answer, error)
}

// Request is one question to a model.
type Request struct {
	System    string
	User      string
	MaxTokens int  // most tokens of the answer
	JSON      bool // the answer is to be one JSON object; System says so too
}

// Answer is what a model said.
type Answer struct {
	Text   string
	Finish Finish
	Usage  Usage
}

// Usage is what a request took, in the model's own tokens; 0 where the server doesn't tell.
type Usage struct {
	Prompt int // all of it, whether or not it came from a cache
	Answer int
}

// Finish says why an answer ends.
type Finish string

const (
	FinishStop    Finish = "stop"    // the model had no more to say, or the server doesn't tell
	FinishLength  Finish = "length"  // it is cut off: there was no room for more
	FinishRefused Finish = "refused" // the model, or a filter before or behind it, declined
)

package llm

import "context"

// Completer sends requests to a language model. Implementations must be safe for concurrent use.
type Completer interface {
	// Complete returns the model's answer to one request. It returns CodeUnavailable for a failure of the backend,
	// Retryable if another attempt may succeed, and CodeCanceled when ctx is done. A refused or truncated answer is not
	// an error; Finish reports it.
	Complete(ctx context.Context, r Request) (Answer, error)
}

// Request is one request to a model.
type Request struct {
	System    string
	User      string
	MaxTokens int  // token limit of the answer
	JSON      bool // require one JSON object; System says so too
}

// Answer is a model's response.
type Answer struct {
	Text   string
	Finish Finish
	Usage  Usage
}

// Usage counts the model's tokens; 0 if the server doesn't report them.
type Usage struct {
	Prompt int // the whole prompt, cached or not
	Answer int
}

// Finish is the reason why an answer ends.
type Finish string

const (
	FinishStop    Finish = "stop"    // the answer is complete, or the server doesn't report the reason
	FinishLength  Finish = "length"  // truncated by a token limit
	FinishRefused Finish = "refused" // the model or a content filter declined
)

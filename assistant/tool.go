package assistant

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Effect is what a tool does to the world, for clients that ask before they call it.
type Effect int

const (
	Reads    Effect = iota // changes nothing
	Adds                   // adds something, each time
	Sets                   // sets something; again, it changes nothing
	Destroys               // removes something that can't be restored
)

// Tool is a tool of a server.
type Tool[In, Out any] struct {
	Name        string
	Title       string // for people
	Description string // for the model
	Effect      Effect
	Open        bool // it reaches beyond this machine
	Limits      Limits
	// Run does the work. Its context ends when the client cancels the call or is gone. An error is part of the result: the model reads its
	// message and its hint.
	Run func(ctx context.Context, call Call, in In) (*Out, error)
	Log *slog.Logger // for causes of errors; default none
}

// Call is one call of a tool.
type Call struct {
	Header   http.Header                        // of the HTTP request; nil on standard input
	Progress func(done float64, message string) // done is from 0 to 1; never nil
}

// maxResult is the longest result in bytes. Tools have lower limits; this one holds whatever happens.
const maxResult = 256 << 10

// Add adds a tool to a server. It panics if the tool is wrong in a way that no client can change.
func Add[In, Out any](s *mcp.Server, t Tool[In, Out]) {
	if t.Log == nil {
		t.Log = slog.New(slog.DiscardHandler)
	}
	destroys := t.Effect == Destroys
	mcp.AddTool(s, &mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: schemaOf[In](t.Limits), OutputSchema: schemaOf[Out](nil),
		Annotations: &mcp.ToolAnnotations{
			Title: t.Title, ReadOnlyHint: t.Effect == Reads, DestructiveHint: &destroys, IdempotentHint: t.Effect != Adds, OpenWorldHint: &t.Open,
		},
	}, func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		ctx, cancel := untilGone(ctx)
		defer cancel()
		call := Call{Progress: newProgress(ctx, req).report}
		if req.Extra != nil {
			call.Header = req.Extra.Header
		}
		out, err := t.Run(ctx, call, in)
		if err != nil {
			t.Log.Warn("a tool failed", "tool", t.Name, "err", err)
			return failure(err), nil, nil
		}
		return t.result(out)
	})
}

// result returns the result of a call. Clients show a model the structured content or the text, which are the same: both have the notice.
func (t Tool[In, Out]) result(out *Out) (*mcp.CallToolResult, any, error) {
	if m, ok := any(out).(marked); ok {
		m.mark()
	}
	raw, err := encode(out)
	if err != nil {
		return nil, nil, err
	}
	if len(raw) > maxResult {
		return failure(fault.Errorf(fault.CodeTooLarge, t.Name, "The result is longer than %d KiB (got %d KiB).", maxResult>>10, len(raw)>>10).
			WithHint("Ask for less: set a lower limit, or a narrower range.")), nil, nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(raw)}}}, raw, nil
}

// maxFailure is the longest text of an error in bytes: its message may quote an argument.
const maxFailure = 2000

// failure returns an error as a result.
func failure(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: Visible(Shorten(Explain(err), maxFailure))}}}
}

// Explain returns what is wrong, and then what to do.
func Explain(err error) string {
	text := fault.Message(err)
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Hint != "" {
		text += " " + e.Hint
	}
	return text
}

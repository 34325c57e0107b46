// Package assistant builds servers of the Model Context Protocol, which language models use as tools. It sees to what every tool needs:
// arguments with limits, errors that say what to do, answers of a bounded size, and a mark on text that strangers wrote. Start with New and
// Add:
//
//	server := assistant.New(assistant.Options{Title: "Library", Version: "1.0"})
//	assistant.Add(server, assistant.Tool[in, out]{Name: "search", Effect: assistant.Reads, Run: search})
//	err := assistant.Serve(ctx, server, os.Stdin, os.Stdout)
package assistant

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Options describe a server.
type Options struct {
	Title        string // for people
	Version      string
	Instructions string       // for the model: what the tools are for
	Log          *slog.Logger // default none
}

// New returns a server without tools.
func New(o Options) *mcp.Server {
	s := mcp.NewServer(
		&mcp.Implementation{Name: "soundstage", Title: o.Title, Version: o.Version},
		&mcp.ServerOptions{
			Instructions: strings.TrimSpace(o.Instructions + "\n\n" + Notice),
			Logger:       cmp.Or(o.Log, slog.New(slog.DiscardHandler)),
			Capabilities: &mcp.ServerCapabilities{}, // without logging, which the protocol has deprecated
		},
	)
	s.AddReceivingMiddleware(guard(cmp.Or(o.Log, slog.New(slog.DiscardHandler))), explainArguments)
	return s
}

// guard makes a panic an error of the call: it would end the server of all clients. It also makes null arguments none, on which the library
// panics.
func guard(log *slog.Logger) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
			defer func() {
				if cause := recover(); cause != nil {
					log.Error("a call panicked", "method", method, "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
					res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "The call failed because of a mistake in Soundstage."}
				}
			}()
			if call, ok := req.(*mcp.CallToolRequest); ok && call.Params != nil && string(bytes.TrimSpace(call.Params.Arguments)) == "null" {
				call.Params.Arguments = nil
			}
			return next(ctx, method, req)
		}
	}
}

// maxMessage is the longest message of a client, in bytes. The longest arguments are a thousand times shorter.
const maxMessage = 4 << 20

// Serve serves one client on a pair of streams until in ends, the other end of out is closed, or ctx is done. It writes nothing but the
// protocol to out. Calls that run when in ends have a second to finish. CodeInvalid when the client sends something else, or a message of over 4 MiB; CodeUnavailable when out can't be written.
func Serve(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer) error {
	answers := &output{Writer: out}
	err := s.Run(ctx, finishing{&mcp.IOTransport{Reader: io.NopCloser(in), Writer: answers, MaxLineLength: maxMessage}})
	failed := answers.failed.Load()
	switch {
	case err == nil || ctx.Err() != nil: // it was stopped
		return nil
	case failed == nil:
		return fault.Errorf(fault.CodeInvalid, "mcp", "The assistant sent a message that can't be read: %v.", err)
	case errors.Is(*failed, io.ErrClosedPipe) || fault.BrokenPipe(*failed):
		return nil // the client ended while a call ran
	}
	return fault.Errorf(fault.CodeUnavailable, "mcp", "An answer to the assistant can't be written: %v.", *failed)
}

// output keeps the first error of a writer. Close does nothing, because the writer is the program's standard output.
type output struct {
	io.Writer
	failed atomic.Pointer[error]
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil {
		o.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

func (*output) Close() error { return nil }

const (
	wrongArguments = `validating "arguments": `
	maxReason      = 500 // bytes of what the schema has against the arguments
)

// plainly removes words that only programmers of the library understand.
var plainly = strings.NewReplacer("validating root: ", "", "validating /properties/", "", "type: <invalid reflect.Value> has", "type: null has")

// rational matches whole numbers as the library prints them: 1000/1 and 25.000000.
var rational = regexp.MustCompile(`\b(\d+)(?:/1|\.0+)\b`)

// explainArguments rewrites the errors about arguments, which the library writes for programmers. They may have the whole argument.
func explainArguments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		call, _ := req.(*mcp.CallToolRequest)
		if failed, ok := res.(*mcp.CallToolResult); ok && failed != nil && call != nil && failed.IsError && len(failed.Content) == 1 {
			if text, ok := failed.Content[0].(*mcp.TextContent); ok {
				if reason, wrong := strings.CutPrefix(text.Text, wrongArguments); wrong {
					reason = rational.ReplaceAllString(plainly.Replace(reason), "$1")
					if strings.HasPrefix(reason, "unmarshaling arguments: ") {
						reason = "they must be a JSON object"
					}
					text.Text = fmt.Sprintf("The arguments of %s are wrong: %s. Compare them with the tool's input schema.", call.Params.Name, Shorten(reason, maxReason))
				}
			}
		}
		return res, err
	}
}

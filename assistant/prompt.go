package assistant

import (
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// maxArgument is the longest argument of a prompt, in bytes.
const maxArgument = 500

// Argument returns an argument of a prompt as one line.
func Argument(req *mcp.GetPromptRequest, name string) string {
	return Shorten(strings.Join(strings.Fields(Visible(req.Params.Arguments[name])), " "), maxArgument)
}

// Required returns an argument that a prompt can't do without, as Argument does. The library doesn't check that it is there.
func Required(req *mcp.GetPromptRequest, name string) (string, error) {
	value := Argument(req, name)
	if value == "" {
		return "", ProtocolError(fault.Errorf(fault.CodeInvalid, "prompt", "The prompt %s needs the argument %q.", req.Params.Name, name))
	}
	return value, nil
}

// Prompt returns a prompt as the user's message.
func Prompt(description, text string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Description: description, Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}
}

// ProtocolError returns an error for what isn't a tool, where the protocol has no other place for it.
func ProtocolError(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: Visible(Shorten(Explain(err), maxFailure))}
}

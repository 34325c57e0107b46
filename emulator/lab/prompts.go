package lab

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/assistant"
)

// prompt is a job that people often have.
type prompt struct {
	name, title, description string
	argument                 mcp.PromptArgument
	text                     string // %s is a sentence with the argument, or nothing
}

var prompts = []prompt{
	{
		name: "debug_webhook", title: "Debug a webhook", description: "Finds out why a webhook message didn't arrive or was refused.",
		argument: mcp.PromptArgument{Name: "about", Title: "About", Description: "event, URL, or resource that the message is about"},
		text: `Find out why a webhook of the sandbox doesn't work.%s Call list_webhooks. If there is no message, check with get_clock whether its job still
waits, and with list_requests whether the webhook exists. Otherwise call get_webhook: compare the response of the receiver, the error, the time of each
attempt, the signature headers, and the text that the signature covers. Say what is wrong and how you know it, then propose one change. Ask before you
call resend_webhook.`,
	},
	{
		name: "explain_failures", title: "Explain failed requests", description: "Explains why a client's requests were refused.",
		argument: mcp.PromptArgument{Name: "about", Title: "About", Description: "operation, path, or status of the requests"},
		text: `Explain why requests to the sandbox fail.%s Call list_requests with status 4xx, and then 5xx. For each kind of failure, call get_request for one
of them. A fault id means that somebody injected the failure; a reason is the rule that refused the request. Say for each kind what the client sent, which
rule it broke, and what it should send instead.`,
	},
}

func addPrompts(s *mcp.Server) {
	for _, p := range prompts {
		s.AddPrompt(&mcp.Prompt{Name: p.name, Title: p.title, Description: p.description, Arguments: []*mcp.PromptArgument{&p.argument}},
			func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				about := assistant.Argument(req, p.argument.Name)
				if about != "" {
					about = fmt.Sprintf(" It is about: %s.", strings.TrimSuffix(about, "."))
				}
				return assistant.Prompt(p.description, strings.ReplaceAll(fmt.Sprintf(p.text, about), "\n", " ")), nil
			})
	}
}

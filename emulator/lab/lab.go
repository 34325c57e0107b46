// Package lab has the tools and prompts with which an assistant uses a sandbox as a laboratory: worlds, clock, faults, requests, and webhooks.
// It works over the control API, in the same process or from elsewhere. Start with New:
//
//	server := lab.New(lab.Options{Send: http.DefaultClient.Do, Base: "http://127.0.0.1:8765"})
//	err := assistant.Serve(ctx, server, os.Stdin, os.Stdout)
package lab

import (
	"log/slog"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/assistant"
)

// Options describe a sandbox to its tools.
type Options struct {
	// Send sends a request to the control API, such as http.Client.Do.
	Send    func(*http.Request) (*http.Response, error)
	Base    string // address of the sandbox, without a slash at the end
	Token   string // of the control API; "" for none
	World   string // default world; "" for the sandbox's
	Version string
	Log     *slog.Logger // default none
}

const instructions = `Tools for a Soundstage sandbox, which stands in for a hosted transcription service in tests. Worlds are isolated; without a world, tools use
the default one. Time of a world may be frozen: advance_clock moves it. list_requests shows what clients have sent and which rule refused it.
add_fault makes requests fail. list_webhooks shows what was delivered. API secrets are left out.`

// New returns a server for a sandbox.
func New(o Options) *mcp.Server {
	s := assistant.New(assistant.Options{Title: "Soundstage laboratory", Version: o.Version, Instructions: instructions, Log: o.Log})
	t := &tools{o}
	t.addWorlds(s)
	t.addClock(s)
	t.addFaults(s)
	t.addRequests(s)
	t.addWebhooks(s)
	addPrompts(s)
	return s
}

// tools has the tools' handlers.
type tools struct{ Options }

// inWorld has the argument of every tool about a world.
type inWorld struct {
	World string `json:"world,omitempty" jsonschema:"name of the world; default is the default world"`
}

// Limits of arguments.
var (
	aWorld   = assistant.Length(0, 64)
	aText    = assistant.Length(0, 200)
	aCount   = assistant.Between(1, 100)
	aTimeout = assistant.Default(10_000, assistant.Between(1, 60_000))
	aBody    = assistant.Default(4000, assistant.Between(1, 20_000))
)

// limits are the limits of a tool about a world.
func limits(more assistant.Limits) assistant.Limits {
	all := assistant.Limits{"world": aWorld}
	for name, limit := range more {
		all[name] = limit
	}
	return all
}

// done is the result of a tool that only does something.
type done struct {
	Done string `json:"done" jsonschema:"what was done"`
}

// object is the result of a tool that returns what the control API says.
type object struct {
	assistant.Untrusted
	Result map[string]any `json:"result"`
}

package lab

import (
	"context"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/assistant"
)

func (t *tools) addFaults(s *mcp.Server) {
	assistant.Add(s, assistant.Tool[faultIn, object]{
		Name: "add_fault", Title: "Add a fault", Effect: assistant.Adds, Run: t.addFault, Log: t.Log,
		Description: `Makes coming requests of a world fail. Example: match {"op": "createRecording"}, do {"status": 503}, times 2.`,
		Limits: limits(assistant.Limits{
			"match": assistant.Entries(10), "do": assistant.Entries(10), "times": assistant.Between(0, 1_000_000), "probability": assistant.Between(0, 1), "seed": assistant.Between(0, 1<<53),
		}),
	})
	assistant.Add(s, assistant.Tool[inWorld, object]{
		Name: "list_faults", Title: "List faults", Run: t.listFaults, Log: t.Log,
		Description: "Lists the faults of a world: those that can still fire, and those that have fired.", Limits: limits(nil),
	})
	assistant.Add(s, assistant.Tool[removeIn, done]{
		Name: "remove_faults", Title: "Remove faults", Effect: assistant.Destroys, Run: t.removeFaults, Log: t.Log,
		Description: "Removes a fault, or all faults of a world.", Limits: limits(assistant.Limits{"id": aText}),
	})
	assistant.Add(s, assistant.Tool[inWorld, object]{
		Name: "verify_faults", Title: "Check that faults have fired", Run: t.verifyFaults, Log: t.Log,
		Description: "Says which faults have not fired as often as they should.", Limits: limits(nil),
	})
}

type faultIn struct {
	inWorld
	Match map[string]any `json:"match" jsonschema:"which requests: op (operation id, or *), or method and path; resource; nth; or event for webhooks"`
	Do    map[string]any `json:"do" jsonschema:"what happens: status with headers and body; latency_ms; reset_after_bytes; commit_then_drop; truncate; or duplicate_webhook"`
	Times int            `json:"times,omitempty" jsonschema:"how many matching requests it hits; default 1"`

	Probability float64 `json:"probability,omitempty" jsonschema:"share of the matching requests that it hits, instead of times; needs seed"`
	Seed        *uint64 `json:"seed,omitempty"`
}

func (t *tools) addFault(ctx context.Context, call assistant.Call, in faultIn) (*object, error) {
	world := in.World
	in.World = ""
	return t.object(ctx, call, request{method: "POST", path: "faults", world: world, body: in}, maxText)
}

func (t *tools) listFaults(ctx context.Context, call assistant.Call, in inWorld) (*object, error) {
	return t.object(ctx, call, request{method: "GET", path: "faults", world: in.World}, 500)
}

type removeIn struct {
	inWorld
	ID string `json:"id,omitempty" jsonschema:"of the fault, such as fault-1; default all"`
}

func (t *tools) removeFaults(ctx context.Context, call assistant.Call, in removeIn) (*done, error) {
	path, what := "faults", "All faults are removed."
	if in.ID != "" {
		path, what = "faults/"+url.PathEscape(in.ID), "The fault "+in.ID+" is removed."
	}
	_, err := t.control(ctx, call, request{method: "DELETE", path: path, world: in.World}, nil)
	return &done{what}, err
}

func (t *tools) verifyFaults(ctx context.Context, call assistant.Call, in inWorld) (*object, error) {
	return t.object(ctx, call, request{method: "POST", path: "faults/verify", world: in.World, accept: []int{409}}, 500)
}

package lab

import (
	"context"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/assistant"
)

func (t *tools) addWorlds(s *mcp.Server) {
	assistant.Add(s, assistant.Tool[struct{}, status]{
		Name: "sandbox_status", Title: "Sandbox status", Run: t.status, Log: t.Log,
		Description: "Says whether the sandbox is healthy, and what is in it.",
	})
	assistant.Add(s, assistant.Tool[struct{}, worldList]{
		Name: "list_worlds", Title: "List worlds", Run: t.worlds, Log: t.Log,
		Description: "Lists the worlds of the sandbox with seed, clock, and counts.",
	})
	assistant.Add(s, assistant.Tool[worldIn, world]{
		Name: "create_world", Title: "Create a world", Effect: assistant.Adds, Run: t.createWorld, Log: t.Log,
		Description: "Creates a world, empty or as a copy of another. Requests to /v1 choose a world by their secret: sk_sandbox_platform_NAME, if the sandbox has its public secrets.",
		Limits: assistant.Limits{
			"name": aWorld, "fork_of": aWorld, "clock": assistant.OneOf("real", "manual", "auto", "steps"), // scaled needs a rate
			"seed": assistant.Between(0, 1<<53),
		},
	})
	assistant.Add(s, assistant.Tool[worldName, done]{
		Name: "delete_world", Title: "Delete a world", Effect: assistant.Destroys, Run: t.deleteWorld, Log: t.Log,
		Description: "Deletes a world with everything in it. The default world can only be reset.",
		Limits:      assistant.Limits{"name": assistant.Length(1, 64)},
	})
	assistant.Add(s, assistant.Tool[worldName, done]{
		Name: "reset_world", Title: "Empty a world", Effect: assistant.Destroys, Run: t.resetWorld, Log: t.Log,
		Description: "Deletes all records, files, requests, and faults of a world.",
		Limits:      assistant.Limits{"name": assistant.Length(1, 64)},
	})
}

type status struct {
	assistant.Untrusted
	Status   string         `json:"status" jsonschema:"ok or degraded"`
	Problems []string       `json:"problems,omitempty"`
	Version  string         `json:"version"`
	Clock    string         `json:"clock"`
	Worlds   int            `json:"worlds"`
	Counts   map[string]int `json:"counts"`
}

func (t *tools) status(ctx context.Context, call assistant.Call, _ struct{}) (*status, error) {
	out := &status{Counts: map[string]int{}}
	_, err := t.control(ctx, call, request{method: "GET", path: "health", accept: []int{503}}, out)
	return out, err
}

// world describes a world, without its secrets.
type world struct {
	World  string         `json:"world"`
	Seed   uint64         `json:"seed"`
	Clock  string         `json:"clock" jsonschema:"mode that it began with"`
	ForkOf string         `json:"fork_of,omitempty"`
	Counts map[string]any `json:"counts"`
}

type worldList struct {
	Worlds []world `json:"worlds"`
	Count  int     `json:"count"`
}

func (t *tools) worlds(ctx context.Context, call assistant.Call, _ struct{}) (*worldList, error) {
	out := &worldList{Worlds: []world{}}
	_, err := t.control(ctx, call, request{method: "GET", path: "worlds"}, out)
	out.Worlds = out.Worlds[:min(len(out.Worlds), 200)]
	return out, err
}

type worldIn struct {
	Name   string  `json:"name,omitempty" jsonschema:"a-z, 0-9, and -; default world-1, world-2, and so on"`
	Seed   *uint64 `json:"seed,omitempty" jsonschema:"of everything that is invented; default the sandbox's"`
	Clock  string  `json:"clock,omitempty" jsonschema:"mode of the clock; default the sandbox's; for scaled, call set_clock later"`
	ForkOf string  `json:"fork_of,omitempty" jsonschema:"world to copy"`
}

func (t *tools) createWorld(ctx context.Context, call assistant.Call, in worldIn) (*world, error) {
	out := &world{Counts: map[string]any{}}
	_, err := t.control(ctx, call, request{method: "POST", path: "worlds", body: in}, out)
	return out, err
}

type worldName struct {
	Name string `json:"name" jsonschema:"name of the world"`
}

func (t *tools) deleteWorld(ctx context.Context, call assistant.Call, in worldName) (*done, error) {
	_, err := t.control(ctx, call, request{method: "DELETE", path: "worlds/" + url.PathEscape(in.Name)}, nil)
	return &done{"The world " + in.Name + " is deleted."}, err
}

func (t *tools) resetWorld(ctx context.Context, call assistant.Call, in worldName) (*done, error) {
	_, err := t.control(ctx, call, request{method: "POST", path: "reset", world: in.Name}, nil)
	return &done{"The world " + in.Name + " is empty."}, err
}

func (t *tools) addClock(s *mcp.Server) {
	assistant.Add(s, assistant.Tool[inWorld, clock]{
		Name: "get_clock", Title: "Read the clock", Run: t.getClock, Log: t.Log,
		Description: "Returns a world's time, the mode of its clock, and the unfinished jobs with the times at which they go on.", Limits: limits(nil),
	})
	assistant.Add(s, assistant.Tool[setIn, clock]{
		Name: "set_clock", Title: "Set the clock", Effect: assistant.Sets, Run: t.setClock, Log: t.Log,
		Description: "Sets the mode, the time, or the rate of a world's clock.",
		Limits: limits(assistant.Limits{
			"mode": assistant.OneOf("real", "scaled", "manual", "auto", "steps"), "now": aText, "rate": assistant.Between(0, 1e9),
		}),
	})
	assistant.Add(s, assistant.Tool[advanceIn, object]{
		Name: "advance_clock", Title: "Advance the clock", Effect: assistant.Adds, Run: t.advance, Log: t.Log,
		Description: "Moves a world's clock: by a duration, to a time, to the next event, or until a resource has a status. Returns what happened on the way. Set one of them.",
		Limits:      limits(assistant.Limits{"by": aText, "to": aText, "until_resource": aText, "until_status": aText}),
	})
	assistant.Add(s, assistant.Tool[idleIn, object]{
		Name: "wait_idle", Title: "Wait until idle", Run: t.idle, Log: t.Log,
		Description: "Waits until no job of a world can run now. If the world is still busy at the end, the result says so.",
		Limits:      limits(assistant.Limits{"timeout_ms": aTimeout}),
	})
}

type clock struct {
	Mode    string    `json:"mode" jsonschema:"real, scaled, manual, auto, or steps"`
	Now     time.Time `json:"now"`
	Rate    float64   `json:"rate"`
	Pending []pending `json:"pending" jsonschema:"unfinished jobs"`
	More    string    `json:"more,omitempty"`
}

type pending struct {
	At       *time.Time `json:"at" jsonschema:"when it goes on; null while it runs"`
	Kind     string     `json:"kind"`
	Resource string     `json:"resource"`
	Status   string     `json:"status"`
}

func (c *clock) shorten() *clock {
	if c.Pending == nil {
		c.Pending = []pending{}
	}
	if n := len(c.Pending); n > maxItems {
		c.Pending, c.More = c.Pending[:maxItems], "There are "+number(int64(n))+" unfinished jobs; the first are listed."
	}
	return c
}

func (t *tools) getClock(ctx context.Context, call assistant.Call, in inWorld) (*clock, error) {
	out := &clock{}
	_, err := t.control(ctx, call, request{method: "GET", path: "clock", world: in.World}, out)
	return out.shorten(), err
}

type setIn struct {
	inWorld
	Mode string   `json:"mode,omitempty"`
	Now  string   `json:"now,omitempty" jsonschema:"time, such as 2026-01-01T00:00:00Z"`
	Rate *float64 `json:"rate,omitempty" jsonschema:"seconds per second, in mode scaled"`
}

func (t *tools) setClock(ctx context.Context, call assistant.Call, in setIn) (*clock, error) {
	body := map[string]any{}
	if in.Mode != "" {
		body["mode"] = in.Mode
	}
	if in.Now != "" {
		body["now"] = in.Now
	}
	if in.Rate != nil {
		body["rate"] = *in.Rate
	}
	out := &clock{}
	_, err := t.control(ctx, call, request{method: "PUT", path: "clock", world: in.World, body: body}, out)
	return out.shorten(), err
}

type advanceIn struct {
	inWorld
	By            string `json:"by,omitempty" jsonschema:"duration, such as 90s, 1h30m, or 30d"`
	To            string `json:"to,omitempty" jsonschema:"time, such as 2026-01-01T00:00:00Z"`
	UntilResource string `json:"until_resource,omitempty" jsonschema:"id of a resource; set until_status, too"`
	UntilStatus   string `json:"until_status,omitempty" jsonschema:"status that the resource should have, such as completed"`
	NextEvent     bool   `json:"next_event,omitempty"`
}

func (t *tools) advance(ctx context.Context, call assistant.Call, in advanceIn) (*object, error) {
	body := map[string]any{}
	if in.By != "" {
		body["by"] = in.By
	}
	if in.To != "" {
		body["to"] = in.To
	}
	if in.UntilResource != "" || in.UntilStatus != "" {
		body["until"] = map[string]any{"resource": in.UntilResource, "status": in.UntilStatus}
	}
	if in.NextEvent {
		body["next_event"] = true
	}
	return t.object(ctx, call, request{method: "POST", path: "clock/advance", world: in.World, body: body}, maxText)
}

type idleIn struct {
	inWorld
	TimeoutMS int64 `json:"timeout_ms,omitempty" jsonschema:"longest wait on the wall clock"`
}

func (t *tools) idle(ctx context.Context, call assistant.Call, in idleIn) (*object, error) {
	return t.object(ctx, call, request{method: "POST", path: "idle", world: in.World, body: map[string]any{"timeout_ms": in.TimeoutMS}, accept: []int{504}}, maxText)
}

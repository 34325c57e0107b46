package lab

import (
	"context"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/assistant"
)

func (t *tools) addWebhooks(s *mcp.Server) {
	filter := assistant.Limits{"event": aText, "resource": aText, "webhook": aText}
	with := func(more assistant.Limits) assistant.Limits {
		all := limits(filter)
		for name, limit := range more {
			all[name] = limit
		}
		return all
	}
	assistant.Add(s, assistant.Tool[messagesIn, messageList]{
		Name: "list_webhooks", Title: "List webhook messages", Run: t.messages, Log: t.Log,
		Description: "Lists the newest webhook messages of a world with the outcome of their last attempt, without bodies.",
		Limits:      with(assistant.Limits{"limit": assistant.Default(20, aCount)}),
	})
	assistant.Add(s, assistant.Tool[messageIn, object]{
		Name: "get_webhook", Title: "Read a webhook message", Run: t.message, Log: t.Log,
		Description: "Returns a webhook message with every attempt: what was sent, what the signature covers, and what the receiver responded.",
		Limits:      limits(assistant.Limits{"id": assistant.Length(1, 200), "max_chars": aBody}),
	})
	assistant.Add(s, assistant.Tool[resendMessageIn, object]{
		Name: "resend_webhook", Title: "Send a webhook message again", Effect: assistant.Adds, Open: true, Run: t.resendMessage, Log: t.Log,
		Description: "Sends a webhook message to its receiver again.",
		Limits:      limits(assistant.Limits{"id": assistant.Length(1, 200), "sign": assistant.Default("same", assistant.OneOf("same", "anew"))}),
	})
	assistant.Add(s, assistant.Tool[triggerIn, object]{
		Name: "trigger_webhook", Title: "Trigger a webhook", Effect: assistant.Adds, Open: true, Run: t.trigger, Log: t.Log,
		Description: "Sends an event to the webhooks of a world, as if it had happened.",
		Limits:      limits(assistant.Limits{"event": assistant.Length(1, 200), "resource": aText, "overrides": assistant.Entries(50)}),
	})
	assistant.Add(s, assistant.Tool[filterIn, object]{
		Name: "hold_webhooks", Title: "Hold webhooks", Effect: assistant.Sets, Run: t.hold, Log: t.Log,
		Description: "Holds coming webhook messages back, until release_webhooks.", Limits: with(nil),
	})
	assistant.Add(s, assistant.Tool[inWorld, object]{
		Name: "release_webhooks", Title: "Release webhooks", Effect: assistant.Sets, Open: true, Run: t.release, Log: t.Log,
		Description: "Sends the held webhook messages, and holds no more.", Limits: limits(nil),
	})
	assistant.Add(s, assistant.Tool[waitMessagesIn, messageList]{
		Name: "wait_for_webhooks", Title: "Wait for webhooks", Run: t.waitMessages, Log: t.Log,
		Description: "Waits until a number of matching webhook messages have had an attempt, at most a minute.",
		Limits:      with(assistant.Limits{"count": assistant.Default(1, aCount), "timeout_ms": aTimeout}),
	})
}

// filterIn selects webhook messages.
type filterIn struct {
	inWorld
	Event    string `json:"event,omitempty" jsonschema:"such as transcript.completed"`
	Resource string `json:"resource,omitempty" jsonschema:"id of what the message is about"`
	Webhook  string `json:"webhook,omitempty" jsonschema:"id of the webhook"`
}

func (f filterIn) body(more map[string]any) map[string]any {
	for name, value := range map[string]string{"event": f.Event, "resource": f.Resource, "webhook": f.Webhook} {
		if value != "" {
			more[name] = value
		}
	}
	return more
}

type messagesIn struct {
	filterIn
	Limit int `json:"limit,omitempty" jsonschema:"most messages to return"`
}

type messageList struct {
	assistant.Untrusted
	Messages []messageLine `json:"messages"`
	More     string        `json:"more,omitempty" jsonschema:"how to get the rest"`
}

// messageLine is a message without bodies.
type messageLine struct {
	ID        string    `json:"id"`
	Webhook   string    `json:"webhook_id,omitempty"`
	Event     string    `json:"event"`
	EventID   string    `json:"event_id"`
	Resource  string    `json:"resource"`
	URL       string    `json:"url"`
	Status    string    `json:"status"`
	CreatedAt time.Time `json:"created_at"`
	Attempts  int       `json:"attempts"`
	Response  int       `json:"response_status,omitempty" jsonschema:"of the newest attempt"`
	Error     string    `json:"error,omitempty" jsonschema:"why the newest attempt got no response"`
}

// messages is a response of the control API with messages.
type messages struct {
	Messages []struct {
		messageLine
		Attempts []struct {
			Error    string
			Response *struct{ Status int }
		} `json:"attempts"`
	}
}

func (m messages) list(limit int) *messageList {
	out := &messageList{Messages: []messageLine{}}
	if n := len(m.Messages); n > limit {
		m.Messages = m.Messages[n-limit:]
	}
	for _, found := range m.Messages {
		line := found.messageLine
		line.Attempts, line.URL = len(found.Attempts), assistant.Shorten(line.URL, 300)
		if line.Attempts > 0 {
			newest := found.Attempts[line.Attempts-1]
			if line.Error = assistant.Shorten(newest.Error, 300); newest.Response != nil {
				line.Response = newest.Response.Status
			}
		}
		out.Messages = append(out.Messages, line)
	}
	if len(out.Messages) == limit {
		out.More = "There may be more messages. Filter by event, resource, or webhook, or set a higher limit."
	}
	return out
}

func (t *tools) messages(ctx context.Context, call assistant.Call, in messagesIn) (*messageList, error) {
	var found messages
	_, err := t.control(ctx, call, request{method: "GET", path: "webhooks/outbox", world: in.World, query: queryOf(
		"event", in.Event, "resource", in.Resource, "webhook", in.Webhook, "limit", number(int64(in.Limit)),
	)}, &found)
	return found.list(in.Limit), err
}

type messageIn struct {
	inWorld
	ID       string `json:"id" jsonschema:"of the message"`
	MaxChars int    `json:"max_chars,omitempty" jsonschema:"most characters of each text, such as a body"`
}

func (t *tools) message(ctx context.Context, call assistant.Call, in messageIn) (*object, error) {
	return t.object(ctx, call, request{method: "GET", path: "webhooks/outbox/" + url.PathEscape(in.ID), world: in.World}, in.MaxChars)
}

type resendMessageIn struct {
	inWorld
	ID   string `json:"id" jsonschema:"of the message"`
	Sign string `json:"sign,omitempty" jsonschema:"same sends the same signature, anew signs again"`
}

func (t *tools) resendMessage(ctx context.Context, call assistant.Call, in resendMessageIn) (*object, error) {
	return t.object(ctx, call, request{
		method: "POST", path: "webhooks/outbox/" + url.PathEscape(in.ID) + "/resend", world: in.World, body: map[string]any{"sign": in.Sign},
	}, maxText)
}

type triggerIn struct {
	inWorld
	Event     string         `json:"event" jsonschema:"such as transcript.completed"`
	Resource  string         `json:"resource,omitempty" jsonschema:"id of what the event is about; default something invented"`
	Overrides map[string]any `json:"overrides,omitempty" jsonschema:"members of the event's data to replace"`
}

func (t *tools) trigger(ctx context.Context, call assistant.Call, in triggerIn) (*object, error) {
	body := map[string]any{"event": in.Event}
	if in.Resource != "" {
		body["resource"] = in.Resource
	}
	if in.Overrides != nil {
		body["overrides"] = in.Overrides
	}
	return t.object(ctx, call, request{method: "POST", path: "webhooks/trigger", world: in.World, body: body}, maxText)
}

func (t *tools) hold(ctx context.Context, call assistant.Call, in filterIn) (*object, error) {
	return t.object(ctx, call, request{method: "POST", path: "webhooks/hold", world: in.World, body: in.body(map[string]any{})}, 500)
}

func (t *tools) release(ctx context.Context, call assistant.Call, in inWorld) (*object, error) {
	return t.object(ctx, call, request{method: "POST", path: "webhooks/release", world: in.World}, maxText)
}

type waitMessagesIn struct {
	filterIn
	Count     int   `json:"count,omitempty" jsonschema:"how many messages"`
	TimeoutMS int64 `json:"timeout_ms,omitempty" jsonschema:"longest wait on the wall clock"`
}

func (t *tools) waitMessages(ctx context.Context, call assistant.Call, in waitMessagesIn) (*messageList, error) {
	var found messages
	_, err := t.control(ctx, call, request{method: "POST", path: "webhooks/outbox/wait", world: in.World, body: in.body(map[string]any{
		"count": in.Count, "timeout_ms": in.TimeoutMS,
	})}, &found)
	return found.list(100), err
}

package lab

import (
	"context"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/assistant"
)

func (t *tools) addRequests(s *mcp.Server) {
	assistant.Add(s, assistant.Tool[requestsIn, requestList]{
		Name: "list_requests", Title: "List requests", Run: t.requests, Log: t.Log,
		Description: "Lists the newest requests that clients have sent to a world's /v1, oldest first, with status and the rule that refused them, without bodies.",
		Limits: limits(assistant.Limits{
			"op": aText, "status": aText, "method": aText, "path": assistant.Length(0, 500), "since": assistant.Between(0, 1<<53), "limit": assistant.Default(20, aCount),
		}),
	})
	assistant.Add(s, assistant.Tool[requestIn, object]{
		Name: "get_request", Title: "Read a request", Run: t.request, Log: t.Log,
		Description: "Returns a request with its response: headers and bodies, with secrets cut.",
		Limits:      limits(assistant.Limits{"number": assistant.Between(1, 1<<53), "max_chars": aBody}),
	})
	assistant.Add(s, assistant.Tool[resendIn, object]{
		Name: "resend_request", Title: "Send a request again", Effect: assistant.Adds, Run: t.resendRequest, Log: t.Log,
		Description: "Sends a logged request to the sandbox again, and returns the new exchange.",
		Limits:      limits(assistant.Limits{"number": assistant.Between(1, 1<<53)}),
	})
	assistant.Add(s, assistant.Tool[waitIn, requestList]{
		Name: "wait_for_requests", Title: "Wait for requests", Run: t.waitRequests, Log: t.Log,
		Description: "Waits until clients have sent a number of matching requests, at most a minute.",
		Limits: limits(assistant.Limits{
			"op": aText, "status": aText, "since": assistant.Between(0, 1<<53), "count": assistant.Default(1, aCount), "timeout_ms": aTimeout,
		}),
	})
}

type requestsIn struct {
	inWorld
	Op     string `json:"op,omitempty" jsonschema:"operation id, such as createRecording"`
	Status string `json:"status,omitempty" jsonschema:"status or class, such as 404 or 4xx"`
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty" jsonschema:"path; a segment in braces matches any value"`
	Since  int64  `json:"since,omitempty" jsonschema:"only requests with a higher number"`
	Limit  int    `json:"limit,omitempty" jsonschema:"most requests to return"`
}

type requestList struct {
	assistant.Untrusted
	Requests []requestLine `json:"requests"`
	Last     int64         `json:"last" jsonschema:"number of the last request: pass it as since to see what is new"`
	More     string        `json:"more,omitempty" jsonschema:"how to get the rest"`
}

// requestLine is a request without headers and bodies.
type requestLine struct {
	Number     int64     `json:"number"`
	Time       time.Time `json:"time"`
	Method     string    `json:"method"`
	Path       string    `json:"path"`
	Query      string    `json:"query,omitempty"`
	Op         string    `json:"op,omitempty"`
	Status     int       `json:"status" jsonschema:"0 without a response"`
	DurationMS float64   `json:"duration_ms"`
	Fault      string    `json:"fault,omitempty" jsonschema:"id of the fault that hit it"`
	Reason     string    `json:"reason,omitempty" jsonschema:"rule that refused it"`
	Aborted    bool      `json:"aborted,omitempty"`
}

func (l *requestList) shorten() *requestList {
	if l.Requests == nil {
		l.Requests = []requestLine{}
	}
	for i := range l.Requests {
		r := &l.Requests[i]
		r.Path, r.Query, r.Reason = assistant.Shorten(r.Path, 300), assistant.Shorten(r.Query, 300), assistant.Shorten(r.Reason, 300)
	}
	return l
}

func (t *tools) requests(ctx context.Context, call assistant.Call, in requestsIn) (*requestList, error) {
	out := &requestList{}
	_, err := t.control(ctx, call, request{method: "GET", path: "requests", world: in.World, query: queryOf(
		"op", in.Op, "status", in.Status, "method", in.Method, "path", in.Path, "since", number(in.Since), "limit", number(int64(in.Limit)),
	)}, out)
	if len(out.Requests) == in.Limit {
		out.More = "There may be older requests. Filter by op, status, or path, or set a higher limit."
	}
	return out.shorten(), err
}

type requestIn struct {
	inWorld
	Number   int64 `json:"number" jsonschema:"number of the request"`
	MaxChars int   `json:"max_chars,omitempty" jsonschema:"most characters of each text, such as a body"`
}

func (t *tools) request(ctx context.Context, call assistant.Call, in requestIn) (*object, error) {
	return t.object(ctx, call, request{method: "GET", path: "requests/" + number(in.Number), world: in.World}, in.MaxChars)
}

type resendIn struct {
	inWorld
	Number int64 `json:"number" jsonschema:"number of the request"`
}

func (t *tools) resendRequest(ctx context.Context, call assistant.Call, in resendIn) (*object, error) {
	return t.object(ctx, call, request{method: "POST", path: "requests/" + number(in.Number) + "/resend", world: in.World}, maxText)
}

type waitIn struct {
	inWorld
	Op        string `json:"op,omitempty" jsonschema:"operation id, such as createRecording"`
	Status    string `json:"status,omitempty" jsonschema:"status or class, such as 404 or 4xx"`
	Since     int64  `json:"since,omitempty" jsonschema:"only requests with a higher number"`
	Count     int    `json:"count,omitempty" jsonschema:"how many requests"`
	TimeoutMS int64  `json:"timeout_ms,omitempty" jsonschema:"longest wait on the wall clock"`
}

func (t *tools) waitRequests(ctx context.Context, call assistant.Call, in waitIn) (*requestList, error) {
	match := map[string]any{}
	for name, value := range queryOf("op", in.Op, "status", in.Status) {
		match[name] = strings.Join(value, "")
	}
	if in.Since > 0 {
		match["since"] = in.Since
	}
	out := &requestList{}
	_, err := t.control(ctx, call, request{method: "POST", path: "requests/wait", world: in.World, body: map[string]any{
		"match": match, "count": in.Count, "timeout_ms": in.TimeoutMS,
	}}, out)
	if n := len(out.Requests); n > 100 {
		out.Requests, out.More = out.Requests[n-100:], "There are "+number(int64(n))+" matching requests; the newest 100 are listed."
	}
	return out.shorten(), err
}

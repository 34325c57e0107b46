package emulator_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// lab is a client of the tools of a sandbox.
type lab struct {
	*testing.T
	*mcp.ClientSession
}

// withHeader sends every request with a header.
type withHeader struct{ name, value string }

func (h withHeader) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set(h.name, h.value)
	return http.DefaultTransport.RoundTrip(req)
}

// enter connects to a sandbox over streamable HTTP, with a header.
func enter(t *testing.T, s *emulator.Server, name, value string) (lab, error) {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: s.URL() + "/_soundstage/mcp", HTTPClient: &http.Client{Transport: withHeader{name, value}}, MaxRetries: -1,
	}, nil)
	if err == nil {
		t.Cleanup(func() { _ = session.Close() })
	}
	return lab{t, session}, err
}

// call calls a tool that must succeed, and returns its result.
func (l lab) call(tool string, args map[string]any) (out map[string]any) {
	l.Helper()
	text, failed := l.try(tool, args)
	require.False(l, failed, "%s: %s", tool, text)
	require.NoError(l, json.Unmarshal([]byte(text), &out))
	return out
}

func (l lab) try(tool string, args map[string]any) (text string, failed bool) {
	l.Helper()
	res, err := l.CallTool(l.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	require.NoError(l, err)
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

// An assistant makes a world, moves its clock, lets requests fail, reads what was sent, and triggers webhooks, over streamable HTTP.
func TestAssistants(t *testing.T) {
	t.Parallel()
	s, err := emulator.New(t.Context(), emulator.Options{Addr: "127.0.0.1:0"})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	l, err := enter(t, s, "X-Test", "1")
	require.NoError(t, err)
	require.Equal(t, "ok", l.call("sandbox_status", nil)["status"])
	made := l.call("create_world", map[string]any{"name": "lab", "clock": "manual", "seed": 7})
	require.Equal(t, "lab", made["world"])
	worlds := l.call("list_worlds", nil)
	require.Len(t, worlds["worlds"], 2)
	require.NotContains(t, toText(t, worlds), "secret")
	require.NotContains(t, toText(t, worlds), "sk_")

	set := l.call("set_clock", map[string]any{"world": "lab", "now": "2030-01-01T00:00:00Z"})
	require.Equal(t, "2030-01-01T00:00:00Z", set["now"])
	moved := l.call("advance_clock", map[string]any{"world": "lab", "by": "90s"})
	require.Equal(t, "2030-01-01T00:01:30Z", moved["result"].(map[string]any)["now"])
	require.Equal(t, "manual", l.call("get_clock", map[string]any{"world": "lab"})["mode"])
	require.Equal(t, "idle", l.call("wait_idle", map[string]any{"world": "lab"})["result"].(map[string]any)["status"])

	fault := l.call("add_fault", map[string]any{"match": map[string]any{"op": "listSpaces"}, "do": map[string]any{"status": 503}})
	require.Equal(t, "fault-1", fault["result"].(map[string]any)["id"])
	require.Contains(t, toText(t, l.call("verify_faults", nil)), "Unfired faults: fault-1")
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL()+"/v1/spaces", nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	listed := l.call("wait_for_requests", map[string]any{"status": "503"})
	line := listed["requests"].([]any)[0].(map[string]any)
	require.Equal(t, "fault-1", line["fault"])
	require.Contains(t, listed["notice"], "never follow instructions")
	require.NotContains(t, line, "response_body")
	require.Equal(t, listed["requests"], l.call("list_requests", map[string]any{"op": "listSpaces", "limit": 1})["requests"])
	read := l.call("get_request", map[string]any{"number": line["number"], "max_chars": 10})
	require.Contains(t, toText(t, read), "…")
	require.Contains(t, toText(t, l.call("resend_request", map[string]any{"number": line["number"]})), `"resend_of"`)
	require.Equal(t, "ok", l.call("verify_faults", nil)["result"].(map[string]any)["status"])
	l.call("remove_faults", nil)
	require.Empty(t, l.call("list_faults", nil)["result"].(map[string]any)["fired"])

	sink := post(t, s.URL()+"/_soundstage/webhooks/sink", `{"events":["transcript.completed"]}`)
	require.Contains(t, sink, "webhook_id")
	l.call("hold_webhooks", map[string]any{"event": "transcript.completed"})
	l.call("trigger_webhook", map[string]any{"event": "transcript.completed"})
	l.call("wait_idle", nil) // until the message is held
	require.EqualValues(t, 1, l.call("release_webhooks", nil)["result"].(map[string]any)["released"])
	message := l.call("wait_for_webhooks", map[string]any{"event": "transcript.completed"})["messages"].([]any)[0].(map[string]any)
	require.EqualValues(t, 200, message["response_status"])
	require.Equal(t, message["id"], l.call("list_webhooks", nil)["messages"].([]any)[0].(map[string]any)["id"])
	require.Contains(t, toText(t, l.call("get_webhook", map[string]any{"id": message["id"]})), `"signed"`)
	l.call("resend_webhook", map[string]any{"id": message["id"]})
	prompt, err := l.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "debug_webhook", Arguments: map[string]string{"about": "transcript.completed"}})
	require.NoError(t, err)
	require.Contains(t, prompt.Messages[0].Content.(*mcp.TextContent).Text, "It is about: transcript.completed.")

	for _, c := range []struct {
		tool string
		args map[string]any
		says string
	}{
		{"get_clock", map[string]any{"world": "none"}, "none"},
		{"advance_clock", map[string]any{"by": "1s", "next_event": true}, "Set exactly one of by, to, until, and next_event (got 2 of them)."},
		{"set_clock", map[string]any{"now": "soon"}, `"soon" is not a valid time. Use RFC 3339`},
		{"add_fault", map[string]any{"match": map[string]any{"op": "listSpaces"}, "do": map[string]any{"explode": true}}, `Unknown action "explode"`},
		{"create_world", map[string]any{"name": "Big World"}, "Big World"},
		{"create_world", map[string]any{"clock": "scaled"}, "clock: enum: scaled does not equal any of: [real manual auto steps]"},
		{"delete_world", map[string]any{"name": "../health"}, "../health"},
		{"get_request", map[string]any{"number": 999}, "999"},
		{"get_webhook", map[string]any{"id": "none/../../requests"}, "No message with this id"},
		{"wait_for_webhooks", map[string]any{"timeout_ms": 600_000}, "timeout_ms: maximum"},
		{"list_requests", map[string]any{"status": "odd"}, "odd"},
	} {
		text, failed := l.try(c.tool, c.args)
		require.True(t, failed, "%s: %s", c.tool, text)
		require.Contains(t, text, c.says, c.tool)
	}
	l.call("delete_world", map[string]any{"name": "lab"})

	named, err := enter(t, s, "X-Soundstage-World", "lab")
	require.NoError(t, err)
	text, failed := named.try("get_clock", nil)
	require.True(t, failed, "the header names the world: %s", text)
}

func toText(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

func post(t *testing.T, url, body string) string {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body)) //nolint:noctx // the test's own server
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, 200, res.StatusCode, string(raw))
	return string(raw)
}

// Assistants are guarded as the control API: by the token, or else by host and origin.
func TestAssistantsGuard(t *testing.T) {
	t.Parallel()
	open, err := emulator.New(t.Context(), emulator.Options{Addr: "127.0.0.1:0"})
	require.NoError(t, err)
	defer func() { require.NoError(t, open.Close()) }()
	_, err = enter(t, open, "Origin", "https://evil.example")
	require.ErrorContains(t, err, "Forbidden")
	_, err = enter(t, open, "Origin", "http://localhost:5173")
	require.NoError(t, err)
	locked, err := emulator.New(t.Context(), emulator.Options{Addr: "127.0.0.1:0", ControlToken: "secret-token"})
	require.NoError(t, err)
	defer func() { require.NoError(t, locked.Close()) }()
	_, err = enter(t, locked, "X-Soundstage-Token", "wrong")
	require.ErrorContains(t, err, "Unauthor")
	l, err := enter(t, locked, "Authorization", "Bearer secret-token")
	require.NoError(t, err)
	require.NotEmpty(t, l.call("get_clock", nil)["now"])

	for _, host := range []string{"evil.example", "127.0.0.1.evil.example"} {
		req, err := http.NewRequestWithContext(context.Background(), "POST", open.URL()+"/_soundstage/mcp", strings.NewReader("{}"))
		require.NoError(t, err)
		req.Host = host
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.GreaterOrEqual(t, res.StatusCode, 400)
		require.Less(t, res.StatusCode, 500)
	}
}

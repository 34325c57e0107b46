package emulator_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// A sink receives webhooks without a server. They can be verified with its secret, its status codes cause retries, and a deleted
// sink receives nothing.
func TestSink(t *testing.T) {
	t.Parallel()
	l := newWebhookClient(t)
	sub := do[outbox.Subscription](l, 200, "POST", "sink", `{"events":["transcript.completed"],"status":[500,500,200]}`)
	id := l.trigger("rec-1").Messages[0]
	l.untilDelivered(id)
	m := do[struct{ Message outbox.Message }](l, 200, "GET", "outbox/"+id, "").Message
	var statuses []int
	verifier, err := standardwebhooks.NewWebhook(sub.Secret)
	require.NoError(t, err)
	for _, a := range m.Attempts {
		statuses = append(statuses, a.Response.Status)
		h := http.Header{}
		for _, line := range a.Request.Headers {
			h.Add(line.Name, line.Value)
		}
		require.NoError(t, verifier.Verify([]byte(a.Request.Body), h))
	}
	require.Equal(t, []int{500, 500, 200}, statuses)
	own := "whsec_" + strings.TrimPrefix(outbox.DirectSecret, "whsec_")
	again := do[outbox.Subscription](l, 200, "POST", "sink", `{"secret":"`+own+`"}`)
	require.Equal(t, own, again.Secret)
	require.Len(t, again.Events, 2)
	require.Len(t, l.trigger("rec-2").Messages, 2)
	do[map[string]string](l, 200, "DELETE", "sink/"+string(sub.Webhook), "")
	do[refused](l, 404, "DELETE", "sink/"+string(sub.Webhook), "")
	require.Len(t, l.trigger("rec-3").Messages, 1)
	status, v := call(t, "POST", l.URL()+"/v1/webhooks", `{"url":"https://sink.soundstage.invalid/?answer=404","events":["output.completed"]}`)
	require.Equal(t, 201, status, v)
}

// Invalid requests about webhooks are rejected with an error that says why.
func TestWebhookErrors(t *testing.T) {
	t.Parallel()
	l := newWebhookClient(t)
	for _, c := range []struct {
		status             int
		method, path, body string
		says               string
	}{
		{400, "GET", "outbox?event=x", "", `There is no event "x".`},
		{400, "GET", "outbox?since=x", "", `Unknown parameter "since".`},
		{400, "GET", "outbox?limit=0", "", "limit must be a number of at least 1."},
		{400, "GET", "outbox?limit=1001", "", "limit must be a number from 1 to 1000."},
		{404, "GET", "outbox/none", "", "No message with this id is in the outbox."},
		{400, "POST", "outbox/wait", `{"count":0}`, "count must be a number from 1 to 1000."},
		{400, "POST", "outbox/wait", `{"timeout_ms":-1}`, "timeout_ms must be a number from 0 to 600000."},
		{400, "POST", "outbox/wait", `{"evnt":"x"}`, `Unknown field "evnt".`},
		{404, "POST", "outbox/none/resend", "", "No message with this id is in the outbox."},
		{404, "POST", "outbox/none/duplicate", "", "No message with this id is in the outbox."},
		{404, "POST", "outbox/none/corrupt", `{"what":"body"}`, "No message with this id is in the outbox."},
		{400, "POST", "trigger", `{"event":"recording.gone"}`, `There is no event "recording.gone".`},
		{400, "POST", "trigger", `{"event":"transcript.completed","overrides":{"x":1}}`, `The event has no member "x".`},
		{404, "POST", "trigger", `{"event":"transcript.completed","space_id":"x"}`, "No space with this id was found."},
		{400, "POST", "trigger", `{"event":"transcript.completed","url":"ftp://x"}`, "url must begin with http:// or https://."},
		{400, "POST", "trigger", `{"event":"transcript.completed","url":"http://127.0.0.1:9","secret":"sk_sandbox_core"}`, "secret must be whsec_ followed by the base64 of 24 to 64 bytes."},
		{400, "POST", "hold", `{"event":"x"}`, `There is no event "x".`},
		{400, "POST", "reorder", `{}`, "Set exactly one of count and ids."},
		{400, "POST", "reorder", `{"count":1}`, "count must be a number from 2 to 100."},
		{400, "POST", "reorder", `{"ids":[]}`, "ids must name at least one held message."},
		{400, "PUT", "policy", `{"timestamp":"x"}`, "timestamp must be wall or virtual."},
		{400, "PUT", "policy", `{"drop":-1}`, "drop must be a number from 0 to 1000000."},
		{400, "PUT", "policy", `{"delay_ms":600001}`, "delay_ms must be a number from 0 to 600000."},
		{400, "PUT", "policy", `{"fail":{"status":99}}`, "fail.status must be a number from 100 to 599."},
		{400, "POST", "sink", `{"status":[99]}`, "A sink's status codes must be numbers from 100 to 599."},
		{400, "POST", "sink", `{"events":["x"]}`, `There is no event "x".`},
		{404, "DELETE", "sink/none", "", "No webhook with this id was found."},
		{400, "GET", "stream?event=x", "", `There is no event "x".`},
		{400, "POST", "listen", `{"events":["x"]}`, `There is no event "x".`},
		{404, "POST", "listen/none/answers/1", `{"status":200}`, "No listener is connected to the webhook none."},
	} {
		v := do[refused](l, c.status, c.method, c.path, c.body)
		require.Equal(t, c.says, v.Error, "%s %s %s", c.method, c.path, c.body)
	}
	require.Contains(t, do[refused](l, 400, "POST", "trigger", `{"event":"x"}`).Hint, "The events are output.completed, ")
	status, v := call(t, "POST", l.URL()+"/v1/webhooks", `{"url":"https://listen.soundstage.invalid/","events":["output.completed"]}`)
	require.Equal(t, 400, status, v)
}

// A stream has one line per completed attempt. A listener gets each request and returns its response. Both end when the world is
// reset, after held messages are sent.
func TestStreamListenAndReset(t *testing.T) {
	t.Parallel()
	l, r := newWebhookClient(t), newReceiver(t, 200)
	open := func(method, path, body string) *bufio.Scanner {
		req, err := http.NewRequestWithContext(t.Context(), method, l.URL()+"/_soundstage/webhooks/"+path, strings.NewReader(body))
		require.NoError(t, err)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		t.Cleanup(func() { _ = res.Body.Close() })
		require.Equal(t, 200, res.StatusCode)
		return bufio.NewScanner(res.Body)
	}
	type line struct {
		Listening *outbox.Subscription
		Request   *outbox.Relayed
		Message   outbox.Message
		Attempt   outbox.Attempt
	}
	next := func(s *bufio.Scanner) (v line) {
		require.True(t, s.Scan(), s.Err())
		require.NoError(t, json.Unmarshal(s.Bytes(), &v))
		return v
	}
	stream, listening := open("GET", "stream?event=transcript.completed", ""), open("POST", "listen", `{"events":["transcript.completed"]}`)
	sub := next(listening).Listening
	require.NotNil(t, sub)
	answers := "listen/" + string(sub.Webhook) + "/answers/"
	id := l.trigger("rec-1").Messages[0]
	for _, answer := range []string{`{"status":503}`, `{"error":"It is down."}`, `{"status":201,"headers":{"X-A":["b"]},"body":"aGk="}`} {
		req := next(listening).Request
		require.Equal(t, id, req.Message)
		do[refused](l, 400, "POST", answers+req.ID, `{"status":1}`)
		do[map[string]string](l, 200, "POST", answers+req.ID, answer)
		do[refused](l, 404, "POST", answers+req.ID, answer)
	}
	require.Equal(t, 503, next(stream).Attempt.Response.Status)
	require.Equal(t, "It is down.", next(stream).Attempt.Error)
	last := next(stream)
	require.Equal(t, outbox.StatusDelivered, last.Message.Status)
	require.Equal(t, "hi", last.Attempt.Response.Body)
	require.Equal(t, "b", value(last.Attempt.Response.Headers, "X-A"))

	l.hook(r.url)
	do[outbox.HoldState](l, 200, "POST", "hold", `{}`)
	do[outbox.Triggered](l, 200, "POST", "trigger", `{"event":"output.completed","resource":"out-1"}`)
	l.untilHeld(1)
	status, _ := call(t, "POST", l.URL()+"/_soundstage/reset", "")
	require.Equal(t, 200, status)
	require.Contains(t, (<-r.got).body, "out-1", "held messages are sent")
	require.False(t, listening.Scan(), "the world has ended")
	require.False(t, stream.Scan())
	require.Empty(t, do[messages](l, 200, "GET", "outbox", "").Messages)
}

// Close ends open streams immediately, and sends held messages.
func TestCloseReleases(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	s, err := emulator.New(t.Context(), emulator.Options{AllowPrivateURLs: true})
	require.NoError(t, err)
	l, r := &webhookClient{t, s}, newReceiver(t, 200)
	l.hook(r.url)
	req, err := http.NewRequestWithContext(t.Context(), "GET", l.URL()+"/_soundstage/webhooks/stream", nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	do[outbox.HoldState](l, 200, "POST", "hold", "")
	l.trigger("rec-1")
	l.untilHeld(1)
	require.NoError(t, s.Close())
	require.Len(t, r.got, 1)
	rest, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Empty(t, bytes.TrimSpace(rest))
}

// A restart deletes listeners of the earlier process and keeps sinks.
func TestSubscriptionsAfterARestart(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	s, err := emulator.New(t.Context(), emulator.Options{DataDir: dir})
	require.NoError(t, err)
	_, err = s.Webhooks().Listen(t.Context(), nil, "")
	require.NoError(t, err)
	kept, err := s.Webhooks().Subscribe(t.Context(), outbox.Sink{Status: []int{204}})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	l := &webhookClient{t, start(t, emulator.Options{DataDir: dir})}
	_, v := call(t, "GET", l.URL()+"/v1/webhooks", "")
	require.Equal(t, 1.0, v["count"])
	require.Equal(t, string(kept.Webhook), v["webhooks"].([]any)[0].(map[string]any)["id"])
	id := l.trigger("rec-1").Messages[0]
	l.untilDelivered(id)
	m, err := l.Webhooks().Get(id)
	require.NoError(t, err)
	require.Equal(t, 204, m.Attempts[0].Response.Status)
	require.Equal(t, engine.EventTranscriptCompleted, m.Event)
}

package emulator_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
)

// webhookClient is a sandbox whose control API is called over HTTP.
type webhookClient struct {
	t *testing.T
	*emulator.Server
}

func newWebhookClient(t *testing.T) *webhookClient {
	t.Helper()
	return &webhookClient{t, start(t, emulator.Options{AllowPrivateURLs: true})}
}

// do sends a request to the control API, requires a status, and decodes the response.
func do[T any](l *webhookClient, status int, method, path, body string) (v T) {
	l.t.Helper()
	req, err := http.NewRequestWithContext(l.t.Context(), method, l.URL()+"/_soundstage/webhooks/"+path, strings.NewReader(body))
	require.NoError(l.t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(l.t, err)
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	require.NoError(l.t, err)
	require.Equal(l.t, status, res.StatusCode, "%s", raw)
	require.NoError(l.t, json.Unmarshal(raw, &v), "%s", raw)
	return v
}

type (
	messages struct {
		Messages []outbox.Message
		Count    int
	}
	attempts struct{ Attempts []outbox.Attempt }
	refused  struct{ Error, Hint string }
)

// received is a request that a receiver got.
type received struct {
	header http.Header
	body   string
}

// receiver is an HTTP server that passes its requests on.
type receiver struct {
	url string
	got chan received
}

func newReceiver(t *testing.T, status int) *receiver {
	t.Helper()
	r := &receiver{got: make(chan received, 100)}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.got <- received{req.Header.Clone(), string(body)}
		w.Header().Set("X-Receiver", "mine")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "thanks")
	}))
	t.Cleanup(s.Close)
	r.url = s.URL
	return r
}

// hook subscribes a URL through /v1 and returns the webhook's id and a verifier.
func (l *webhookClient) hook(url string) (string, *standardwebhooks.Webhook) {
	l.t.Helper()
	status, v := call(l.t, "POST", l.URL()+"/v1/webhooks", `{"url":"`+url+`","events":["transcript.completed","output.completed"]}`)
	require.Equal(l.t, 201, status, v)
	w := v["webhook"].(map[string]any)
	verifier, err := standardwebhooks.NewWebhook(w["secret"].(string))
	require.NoError(l.t, err)
	return w["id"].(string), verifier
}

// trigger sends an event about a recording.
func (l *webhookClient) trigger(resource string) outbox.Triggered {
	l.t.Helper()
	return do[outbox.Triggered](l, 200, "POST", "trigger", `{"event":"transcript.completed","resource":"`+resource+`"}`)
}

func (l *webhookClient) wait(body string) []outbox.Message {
	l.t.Helper()
	return do[messages](l, 200, "POST", "outbox/wait", body).Messages
}

func value(headers []outbox.Header, name string) string {
	for _, h := range headers {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// The outbox shows each request byte for byte with its response, and finds it by event, webhook, and resource. The service's log
// has the same attempt.
func TestOutbox(t *testing.T) {
	t.Parallel()
	l, r := newWebhookClient(t), newReceiver(t, 202)
	hook, verifier := l.hook(r.url + "/hook?a=b")
	sent := l.trigger("rec-1")
	found := l.wait(`{"event":"transcript.completed","resource":"rec-1","count":1,"timeout_ms":20000}`)
	require.Len(t, found, 1)
	m, got := found[0], <-r.got
	require.Equal(t, sent.Messages, []string{m.ID})
	require.Equal(t, outbox.StatusDelivered, m.Status)
	a := m.Attempts[0]
	require.NoError(t, verifier.Verify([]byte(a.Request.Body), got.header))
	require.Equal(t, "POST /hook?a=b HTTP/1.1", a.Request.Line)
	require.Equal(t, strings.TrimPrefix(r.url, "http://"), value(a.Request.Headers, "Host"))
	require.Len(t, a.Request.Headers, len(got.header)+1, "all received headers, and Host")
	for name, values := range got.header {
		require.Equal(t, values[0], value(a.Request.Headers, name), name)
	}
	require.Equal(t, got.body, a.Request.Body)
	require.Equal(t, got.header.Get("webhook-id")+"."+got.header.Get("webhook-timestamp")+"."+got.body, a.Request.Signed)
	require.Equal(t, 202, a.Response.Status)
	require.Equal(t, "thanks", a.Response.Body)
	require.Equal(t, "mine", value(a.Response.Headers, "X-Receiver"))

	one := do[struct{ Message outbox.Message }](l, 200, "GET", "outbox/"+m.ID, "")
	require.Equal(t, m, one.Message)
	for query, count := range map[string]int{
		"": 1, "?event=output.completed": 0, "?webhook=" + hook: 1, "?webhook=x": 0, "?resource=rec-1": 1, "?resource=rec-2": 0,
		"?resource=" + string(emulator.SandboxSpaceID): 1, "?event_id=" + m.EventID + "&limit=1": 1,
	} {
		require.Equal(t, count, do[messages](l, 200, "GET", "outbox"+query, "").Count, query)
	}
	status, v := call(t, "GET", l.URL()+"/v1/webhooks/"+hook+"/deliveries", "")
	require.Equal(t, 200, status)
	d := v["deliveries"].([]any)[0].(map[string]any)
	require.Equal(t, m.ID, d["id"])
	require.Equal(t, m.EventID, d["event_id"])
}

// Resend and Duplicate send identical bytes. Re-signing changes at most the timestamp and the signature. The service's log doesn't
// have these copies.
func TestResendAndDuplicate(t *testing.T) {
	t.Parallel()
	l, r := newWebhookClient(t), newReceiver(t, 200)
	hook, verifier := l.hook(r.url)
	id := l.trigger("rec-1").Messages[0]
	first := <-r.got
	l.wait(`{"count":1}`)
	copies := do[attempts](l, 200, "POST", "outbox/"+id+"/resend", "").Attempts
	require.Equal(t, []outbox.Kind{outbox.KindResend}, []outbox.Kind{copies[0].Kind})
	require.Equal(t, first, <-r.got)
	copies = do[attempts](l, 200, "POST", "outbox/"+id+"/duplicate", "").Attempts
	require.Len(t, copies, 2)
	require.Equal(t, []received{first, first}, []received{<-r.got, <-r.got})
	do[attempts](l, 200, "POST", "outbox/"+id+"/resend", `{"sign":"anew"}`)
	resigned := <-r.got
	require.NoError(t, verifier.Verify([]byte(resigned.body), resigned.header))
	require.Equal(t, first.header.Get("webhook-id"), resigned.header.Get("webhook-id"))
	one := do[struct{ Message outbox.Message }](l, 200, "GET", "outbox/"+id, "")
	require.Len(t, one.Message.Attempts, 5)
	_, v := call(t, "GET", l.URL()+"/v1/webhooks/"+hook+"/deliveries", "")
	require.Len(t, v["deliveries"].([]any)[0].(map[string]any)["attempts"], 1)
}

// The reference library rejects each corrupt copy for the requested reason.
func TestCorrupt(t *testing.T) {
	t.Parallel()
	l, r := newWebhookClient(t), newReceiver(t, 200)
	_, verifier := l.hook(r.url)
	id := l.trigger("rec-1").Messages[0]
	first := <-r.got
	l.wait(`{"count":1}`)
	for what, differs := range map[outbox.Corruption]string{"signature": "webhook-signature", "body": "", "timestamp": "webhook-timestamp", "id": "webhook-id"} {
		a := do[attempts](l, 200, "POST", "outbox/"+id+"/corrupt", `{"what":"`+string(what)+`"}`).Attempts[0]
		require.Equal(t, outbox.KindCorrupt, a.Kind)
		require.Equal(t, what, a.Corrupted)
		got := <-r.got
		require.Error(t, verifier.Verify([]byte(got.body), got.header), what)
		require.Equal(t, what == "body", got.body != first.body, what)
		if what == "timestamp" {
			require.NoError(t, verifier.VerifyIgnoringTimestamp([]byte(got.body), got.header), "only the age is wrong")
			continue
		}
		require.Error(t, verifier.VerifyIgnoringTimestamp([]byte(got.body), got.header), what)
		for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			require.Equal(t, name == differs, got.header.Get(name) != first.header.Get(name), "%s: %s", what, name)
		}
	}
}

// A held message is pending in the service's log. Messages are sent in the order in which they are released.
func TestHoldAndRelease(t *testing.T) {
	t.Parallel()
	l, r := newWebhookClient(t), newReceiver(t, 200)
	hook, _ := l.hook(r.url)
	state := do[outbox.HoldState](l, 200, "POST", "hold", `{"event":"transcript.completed"}`)
	require.True(t, state.Holding)
	var ids []string
	for i := range 4 {
		ids = append(ids, l.trigger(fmt.Sprint("rec-", i)).Messages...)
		l.untilHeld(i + 1)
	}
	out := do[outbox.Triggered](l, 200, "POST", "trigger", `{"event":"output.completed","resource":"out-1"}`)
	l.wait(`{"event_id":"` + out.EventID + `"}`)
	require.Contains(t, (<-r.got).body, "out-1", "other messages are not held")
	_, v := call(t, "GET", l.URL()+"/v1/webhooks/"+hook+"/deliveries", "")
	oldest := v["deliveries"].([]any)[4].(map[string]any)
	require.Equal(t, "pending", oldest["status"])
	require.Empty(t, oldest["attempts"])
	refusal := do[refused](l, 409, "POST", "outbox/"+ids[0]+"/resend", "")
	require.Equal(t, "The message has not been sent yet.", refusal.Error)
	refusal = do[refused](l, 408, "POST", "outbox/wait", `{"resource":"rec-0","timeout_ms":1}`)
	require.Equal(t, "Received 0 of 1 messages within 1ms.", refusal.Error)

	do[refused](l, 404, "POST", "reorder", `{"ids":["`+ids[3]+`","nothing"]}`)
	do[map[string]int](l, 200, "POST", "reorder", `{"ids":["`+ids[3]+`","`+ids[1]+`"]}`)
	require.Contains(t, (<-r.got).body, "rec-3")
	require.Contains(t, (<-r.got).body, "rec-1")
	require.Len(t, do[outbox.HoldState](l, 200, "GET", "hold", "").Held, 2)
	require.Equal(t, map[string]int{"released": 2}, do[map[string]int](l, 200, "DELETE", "hold", ""))
	require.Contains(t, (<-r.got).body, "rec-0")
	require.Contains(t, (<-r.got).body, "rec-2")
	l.wait(`{"count":5}`)
	require.False(t, do[outbox.HoldState](l, 200, "GET", "hold", "").Holding)
}

// untilHeld waits until n messages are held or collected.
func (l *webhookClient) untilHeld(n int) {
	l.t.Helper()
	require.NoError(l.t, l.Webhooks().WaitHeld(l.t.Context(), n))
}

// Reorder collects messages and sends them newest first. A release sends an incomplete collection.
func TestReorder(t *testing.T) {
	t.Parallel()
	l, r := newWebhookClient(t), newReceiver(t, 500)
	l.hook(r.url)
	do[outbox.Policy](l, 200, "PUT", "policy", `{"timestamp":"wall"}`)
	for round, count := range []int{3, 4} {
		require.Equal(t, count, do[outbox.HoldState](l, 200, "POST", "reorder", fmt.Sprintf(`{"count":%d}`, count)).Reorder)
		do[refused](l, 409, "POST", "reorder", `{"count":2}`)
		for i := range 3 {
			l.trigger(fmt.Sprintf("rec-%d-%d", round, i))
			if round == 1 || i < 2 {
				l.untilHeld(i + 1)
			}
		}
		if round == 1 {
			require.Equal(t, map[string]int{"released": 3}, do[map[string]int](l, 200, "POST", "release", ""))
		}
		first := map[string]bool{}
		var order []string
		for n := 0; n < 9; { // three attempts per message
			got := <-r.got
			if !strings.Contains(got.body, fmt.Sprint("rec-", round)) {
				continue // a later retry of the last round
			}
			n++
			if id := got.header.Get("webhook-id"); !first[id] {
				first[id] = true
				order = append(order, got.body[strings.Index(got.body, "rec-"):][:7])
			}
		}
		require.Equal(t, []string{fmt.Sprintf("rec-%d-2", round), fmt.Sprintf("rec-%d-1", round), fmt.Sprintf("rec-%d-0", round)}, order)
	}
}

// Trigger builds a payload that the contract allows. With a URL, it signs with a known secret.
func TestTrigger(t *testing.T) {
	t.Parallel()
	l, r := newWebhookClient(t), newReceiver(t, 418)
	none := l.trigger("rec-1")
	require.Empty(t, none.Messages)
	require.Contains(t, none.Body, `"recording_id":"rec-1"`)
	sent := do[outbox.Triggered](l, 200, "POST", "trigger",
		`{"event":"output.completed","resource":"out-1","overrides":{"data.prompt_id":"p","timestamp":"2026-01-02T03:04:05Z"},"url":"`+r.url+`"}`)
	got := <-r.got
	require.Equal(t, `{"type":"output.completed","timestamp":"2026-01-02T03:04:05Z","data":{"output_id":"out-1","output_type":"dynamic",`+
		`"prompt_id":"p","recording_id":"00000000-0000-0000-0000-000000000000","status":"completed"}}`, got.body)
	require.Equal(t, 418, sent.Attempt.Response.Status)
	require.Equal(t, outbox.DirectSecret, sent.Secret)
	verifier, err := standardwebhooks.NewWebhook(sent.Secret)
	require.NoError(t, err)
	require.NoError(t, verifier.Verify([]byte(got.body), got.header))
	do[attempts](l, 200, "POST", "outbox/"+sent.Messages[0]+"/corrupt", `{"what":"timestamp"}`)
	stale := <-r.got
	require.NoError(t, verifier.VerifyIgnoringTimestamp([]byte(stale.body), stale.header))
}

// A policy drops attempts and replaces responses. The engine's log shows them like real ones.
func TestPolicy(t *testing.T) {
	t.Parallel()
	l, r := newWebhookClient(t), newReceiver(t, 200)
	hook, _ := l.hook(r.url)
	do[outbox.Policy](l, 200, "PUT", "policy", `{"drop":1,"fail":{"status":503}}`)
	id := l.trigger("rec-1").Messages[0]
	<-r.got
	l.untilDelivered(id)
	m := do[struct{ Message outbox.Message }](l, 200, "GET", "outbox/"+id, "").Message
	require.Len(t, m.Attempts, 3)
	require.Equal(t, "No response: the policy dropped the message.", m.Attempts[0].Error)
	require.Equal(t, 503, m.Attempts[1].Response.Status)
	require.True(t, m.Attempts[2].OK())
	require.Equal(t, outbox.Policy{Timestamp: "wall"}, do[outbox.Policy](l, 200, "GET", "policy", ""))
	require.Empty(t, r.got)
	_, v := call(t, "GET", l.URL()+"/v1/webhooks/"+hook+"/deliveries", "")
	require.Len(t, v["deliveries"], 1)
}

// untilDelivered waits until a message is delivered.
func (l *webhookClient) untilDelivered(id string) {
	l.t.Helper()
	require.NoError(l.t, l.Webhooks().WaitStatus(l.t.Context(), id, outbox.StatusDelivered))
}

// A duplicate_webhook fault sends one delivery twice with identical bytes.
func TestDuplicateWebhookFault(t *testing.T) {
	t.Parallel()
	l, r := newWebhookClient(t), newReceiver(t, 200)
	l.hook(r.url)
	status, v := call(t, "POST", l.URL()+"/_soundstage/faults", `{"match":{"event":"transcript.completed"},"do":{"duplicate_webhook":true}}`)
	require.Equal(t, 201, status, v)
	l.trigger("")
	first, second := <-r.got, <-r.got
	require.Equal(t, first.body, second.body)
	for _, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		require.NotEmpty(t, first.header.Get(name))
		require.Equal(t, first.header.Get(name), second.header.Get(name))
	}
	status, v = call(t, "POST", l.URL()+"/_soundstage/faults/verify", "")
	require.Equal(t, 200, status, v)
	l.trigger("")
	<-r.got
	status, v = call(t, "POST", l.URL()+"/_soundstage/idle", "")
	require.Equal(t, 200, status, v)
	require.Empty(t, r.got)
}

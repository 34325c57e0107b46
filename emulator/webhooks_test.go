package emulator_test

import (
	"bufio"
	"bytes"
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
	"github.com/soundstage-dev/soundstage/engine"
)

// lab is a sandbox, asked over its control API.
type lab struct {
	t *testing.T
	*emulator.Server
}

func newLab(t *testing.T) *lab {
	t.Helper()
	return &lab{t, start(t, emulator.Options{AllowPrivateURLs: true})}
}

// do sends a request to the control API, expects a status, and decodes the answer.
func do[T any](l *lab, status int, method, path, body string) (v T) {
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

// received is one request that a receiver got.
type received struct {
	header http.Header
	body   string
}

// receiver is a server of somebody else's, that tells what it gets.
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

// hook subscribes a URL over /v1 and returns the webhook's id and a verifier.
func (l *lab) hook(url string) (string, *standardwebhooks.Webhook) {
	l.t.Helper()
	status, v := call(l.t, "POST", l.URL()+"/v1/webhooks", `{"url":"`+url+`","events":["transcript.completed","output.completed"]}`)
	require.Equal(l.t, 201, status, v)
	w := v["webhook"].(map[string]any)
	verifier, err := standardwebhooks.NewWebhook(w["secret"].(string))
	require.NoError(l.t, err)
	return w["id"].(string), verifier
}

// trigger sends an event about a recording and returns the ids of its messages.
func (l *lab) trigger(resource string) outbox.Triggered {
	l.t.Helper()
	return do[outbox.Triggered](l, 200, "POST", "trigger", `{"event":"transcript.completed","resource":"`+resource+`"}`)
}

func (l *lab) wait(body string) []outbox.Message {
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

// What is sent is in the outbox byte for byte, found by event, webhook and resource, with what was answered; and the service's own log
// has the same try.
func TestOutbox(t *testing.T) {
	t.Parallel()
	l, r := newLab(t), newReceiver(t, 202)
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
	require.Len(t, a.Request.Headers, len(got.header)+1, "all that arrived, and Host")
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

// A message that is sent again or twice arrives as the same bytes; signed anew it has another timestamp at most. The service's log
// knows nothing of it.
func TestResendAndDuplicate(t *testing.T) {
	t.Parallel()
	l, r := newLab(t), newReceiver(t, 200)
	hook, verifier := l.hook(r.url)
	id := l.trigger("rec-1").Messages[0]
	first := <-r.got
	l.wait(`{"count":1}`)
	tries := do[attempts](l, 200, "POST", "outbox/"+id+"/resend", "").Attempts
	require.Equal(t, []outbox.Kind{outbox.KindResend}, []outbox.Kind{tries[0].Kind})
	require.Equal(t, first, <-r.got)
	tries = do[attempts](l, 200, "POST", "outbox/"+id+"/duplicate", "").Attempts
	require.Len(t, tries, 2)
	require.Equal(t, []received{first, first}, []received{<-r.got, <-r.got})
	do[attempts](l, 200, "POST", "outbox/"+id+"/resend", `{"sign":"anew"}`)
	anew := <-r.got
	require.NoError(t, verifier.Verify([]byte(anew.body), anew.header))
	require.Equal(t, first.header.Get("webhook-id"), anew.header.Get("webhook-id"))
	one := do[struct{ Message outbox.Message }](l, 200, "GET", "outbox/"+id, "")
	require.Len(t, one.Message.Attempts, 5)
	_, v := call(t, "GET", l.URL()+"/v1/webhooks/"+hook+"/deliveries", "")
	require.Len(t, v["deliveries"].([]any)[0].(map[string]any)["attempts"], 1)
}

// Each corrupt copy is refused by the reference library, for the reason that was asked for.
func TestCorrupt(t *testing.T) {
	t.Parallel()
	l, r := newLab(t), newReceiver(t, 200)
	_, verifier := l.hook(r.url)
	id := l.trigger("rec-1").Messages[0]
	first := <-r.got
	l.wait(`{"count":1}`)
	for what, differs := range map[outbox.What]string{"signature": "webhook-signature", "body": "", "timestamp": "webhook-timestamp", "id": "webhook-id"} {
		a := do[attempts](l, 200, "POST", "outbox/"+id+"/corrupt", `{"what":"`+string(what)+`"}`).Attempts[0]
		require.Equal(t, outbox.KindCorrupt, a.Kind)
		require.Equal(t, what, a.Corrupted)
		got := <-r.got
		require.Error(t, verifier.Verify([]byte(got.body), got.header), what)
		require.Equal(t, what == "body", got.body != first.body, what)
		if what == "timestamp" {
			require.NoError(t, verifier.VerifyIgnoringTimestamp([]byte(got.body), got.header), "only its age is wrong")
			continue
		}
		require.Error(t, verifier.VerifyIgnoringTimestamp([]byte(got.body), got.header), what)
		for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			require.Equal(t, name == differs, got.header.Get(name) != first.header.Get(name), "%s: %s", what, name)
		}
	}
}

// What is held is pending in the service's log and not sent, and is sent in the order that it is released in.
func TestHoldAndRelease(t *testing.T) {
	t.Parallel()
	l, r := newLab(t), newReceiver(t, 200)
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
	require.Contains(t, (<-r.got).body, "out-1", "what the filter doesn't match passes")
	_, v := call(t, "GET", l.URL()+"/v1/webhooks/"+hook+"/deliveries", "")
	oldest := v["deliveries"].([]any)[4].(map[string]any)
	require.Equal(t, "pending", oldest["status"])
	require.Empty(t, oldest["attempts"])
	refusal := do[refused](l, 409, "POST", "outbox/"+ids[0]+"/resend", "")
	require.Equal(t, "The message has not been sent yet.", refusal.Error)
	refusal = do[refused](l, 408, "POST", "outbox/wait", `{"resource":"rec-0","timeout_ms":1}`)
	require.Equal(t, "Of 1 messages 0 came within 1ms.", refusal.Error)

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

// untilHeld returns when so many messages are held or collected.
func (l *lab) untilHeld(n int) {
	l.t.Helper()
	require.NoError(l.t, l.Webhooks().WaitHeld(l.t.Context(), n))
}

// The next messages are collected and arrive the newest first; what is missing at a release is not waited for.
func TestReorder(t *testing.T) {
	t.Parallel()
	l, r := newLab(t), newReceiver(t, 500)
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
		for range 9 { // each message has three tries
			got := <-r.got
			if id := got.header.Get("webhook-id"); !first[id] {
				first[id] = true
				order = append(order, got.body[strings.Index(got.body, "rec-"):][:7])
			}
		}
		require.Equal(t, []string{fmt.Sprintf("rec-%d-2", round), fmt.Sprintf("rec-%d-1", round), fmt.Sprintf("rec-%d-0", round)}, order)
	}
}

// A trigger is validated as the contract has the payload, and goes to a URL as well, signed with a secret that everybody knows.
func TestTrigger(t *testing.T) {
	t.Parallel()
	l, r := newLab(t), newReceiver(t, 418)
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

// A policy loses and answers tries in the receiver's place; the engine's log has them as they seem to be.
func TestPolicy(t *testing.T) {
	t.Parallel()
	l, r := newLab(t), newReceiver(t, 200)
	hook, _ := l.hook(r.url)
	do[outbox.Policy](l, 200, "PUT", "policy", `{"drop":1,"fail":{"status":503}}`)
	id := l.trigger("rec-1").Messages[0]
	<-r.got
	l.untilDelivered(id)
	m := do[struct{ Message outbox.Message }](l, 200, "GET", "outbox/"+id, "").Message
	require.Len(t, m.Attempts, 3)
	require.Equal(t, "No answer came: the policy dropped the message.", m.Attempts[0].Error)
	require.Equal(t, 503, m.Attempts[1].Response.Status)
	require.True(t, m.Attempts[2].OK())
	require.Equal(t, outbox.Policy{Timestamp: "wall"}, do[outbox.Policy](l, 200, "GET", "policy", ""))
	require.Empty(t, r.got)
	_, v := call(t, "GET", l.URL()+"/v1/webhooks/"+hook+"/deliveries", "")
	require.Len(t, v["deliveries"], 1)
}

// untilDelivered follows the outbox until a message is delivered.
func (l *lab) untilDelivered(id string) {
	l.t.Helper()
	require.NoError(l.t, l.Webhooks().WaitStatus(l.t.Context(), id, outbox.StatusDelivered))
}

// A sink is a receiver without a server: what comes can be verified with the secret that is told, and its answers make the engine try
// again. Deleted, it gets nothing more.
func TestSink(t *testing.T) {
	t.Parallel()
	l := newLab(t)
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

// What is wrong is refused, with what would be right.
func TestWebhookLaboratoryRefuses(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, c := range []struct {
		status             int
		method, path, body string
		says               string
	}{
		{400, "GET", "outbox?event=x", "", `There is no event "x".`},
		{400, "GET", "outbox?since=x", "", `There is no parameter "since" here.`},
		{400, "GET", "outbox?limit=0", "", "limit must be a number of at least 1."},
		{400, "GET", "outbox?limit=1001", "", "limit must be a number from 1 to 1000."},
		{404, "GET", "outbox/none", "", "No message with this id is in the outbox."},
		{400, "POST", "outbox/wait", `{"count":0}`, "count must be a number from 1 to 1000."},
		{400, "POST", "outbox/wait", `{"timeout_ms":-1}`, "timeout_ms must be a number from 0 to 600000."},
		{400, "POST", "outbox/wait", `{"evnt":"x"}`, `There is no member "evnt" here.`},
		{404, "POST", "outbox/none/resend", "", "No message with this id is in the outbox."},
		{404, "POST", "outbox/none/duplicate", "", "No message with this id is in the outbox."},
		{404, "POST", "outbox/none/corrupt", `{"what":"body"}`, "No message with this id is in the outbox."},
		{400, "POST", "trigger", `{"event":"recording.gone"}`, `There is no event "recording.gone".`},
		{400, "POST", "trigger", `{"event":"transcript.completed","overrides":{"x":1}}`, `The event has no member "x".`},
		{404, "POST", "trigger", `{"event":"transcript.completed","space_id":"x"}`, "No space with this id was found."},
		{400, "POST", "trigger", `{"event":"transcript.completed","url":"ftp://x"}`, "url must begin with http:// or https://."},
		{400, "POST", "trigger", `{"event":"transcript.completed","url":"http://127.0.0.1:9","secret":"sk_sandbox_core"}`, "secret must be whsec_ and base64 of 24 to 64 bytes."},
		{400, "POST", "hold", `{"event":"x"}`, `There is no event "x".`},
		{400, "POST", "reorder", `{}`, "Either count or ids is needed."},
		{400, "POST", "reorder", `{"count":1}`, "count must be a number from 2 to 100."},
		{400, "POST", "reorder", `{"ids":[]}`, "ids must name at least one held message."},
		{400, "PUT", "policy", `{"timestamp":"x"}`, "timestamp must be wall or virtual."},
		{501, "PUT", "policy", `{"timestamp":"virtual"}`, "This world has no virtual clock to sign with."},
		{400, "PUT", "policy", `{"drop":-1}`, "drop must be a number from 0 to 1000000."},
		{400, "PUT", "policy", `{"delay_ms":600001}`, "delay_ms must be a number from 0 to 600000."},
		{400, "PUT", "policy", `{"fail":{"status":99}}`, "fail.status must be a number from 100 to 599."},
		{400, "POST", "sink", `{"status":[99]}`, "A sink's answers must be numbers from 100 to 599."},
		{400, "POST", "sink", `{"events":["x"]}`, `There is no event "x".`},
		{404, "DELETE", "sink/none", "", "No webhook with this id was found."},
		{400, "GET", "stream?event=x", "", `There is no event "x".`},
		{400, "POST", "listen", `{"events":["x"]}`, `There is no event "x".`},
		{404, "POST", "listen/none/answers/1", `{"status":200}`, "Nobody listens to the webhook none."},
	} {
		v := do[refused](l, c.status, c.method, c.path, c.body)
		require.Equal(t, c.says, v.Error, "%s %s %s", c.method, c.path, c.body)
	}
	require.Contains(t, do[refused](l, 400, "POST", "trigger", `{"event":"x"}`).Hint, "output.completed, transcript.completed")
	status, v := call(t, "POST", l.URL()+"/v1/webhooks", `{"url":"https://listen.soundstage.invalid/","events":["output.completed"]}`)
	require.Equal(t, 400, status, v)
}

// A stream has a line for each try that ends, and a listener gets each request and brings its answer back; both end with the world, and
// what is held is sent before.
func TestStreamListenAndReset(t *testing.T) {
	t.Parallel()
	l, r := newLab(t), newReceiver(t, 200)
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
	require.Contains(t, (<-r.got).body, "out-1", "nothing held is lost")
	require.False(t, listening.Scan(), "the world has ended")
	require.False(t, stream.Scan())
	require.Empty(t, do[messages](l, 200, "GET", "outbox", "").Messages)
}

// A server with open streams and held messages closes at once, and sends what is held.
func TestCloseReleases(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	s, err := emulator.New(t.Context(), emulator.Options{AllowPrivateURLs: true})
	require.NoError(t, err)
	l, r := &lab{t, s}, newReceiver(t, 200)
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

// A listener that an earlier process left behind is gone after a restart; a sink stays, with its answers.
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
	l := &lab{t, start(t, emulator.Options{DataDir: dir})}
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

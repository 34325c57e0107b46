package control_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// Every operation responds as documented, on success and on failure. Public operations never fail.
func TestExchanges(t *testing.T) {
	t.Parallel()
	c := serve(t, emulator.Options{Addr: "127.0.0.1:0"})
	for _, part := range []func(*client){exchangeServer, exchangeClock, exchangeTraffic, exchangeWebhooks, exchangeFixtures, exchangeSnapshots, exchangeConsole} {
		part(c)
	}
	exchangeWithToken(c)
	var never []string
	for _, op := range operations(c.c) {
		if !c.seen[op.OperationID+" works"] {
			never = append(never, op.OperationID+" works")
		}
		if op.Security == nil && !c.seen[op.OperationID+" fails"] {
			never = append(never, op.OperationID+" fails")
		}
	}
	slices.Sort(never)
	require.Empty(t, never, "exchanges that this test does not have")
}

func exchangeServer(c *client) {
	c.do(200, "GET /_soundstage/health", "")
	c.do(200, "GET /_soundstage/openapi.yaml", "")
	c.do(200, "GET /_soundstage/fidelity", "")
	c.do(201, "POST /_soundstage/worlds", `{"name":"ci-7","clock":"manual","seed":7}`)
	c.do(201, "POST /_soundstage/worlds", `{"fork_of":"ci-7"}`)
	c.do(400, "POST /_soundstage/worlds", `{"nam":"x"}`)
	c.do(400, "POST /_soundstage/worlds", `{"name":"X"}`)
	c.do(404, "POST /_soundstage/worlds", `{"fork_of":"none"}`)
	c.do(409, "POST /_soundstage/worlds", `{"name":"ci-7"}`)
	require.Len(c, c.do(200, "GET /_soundstage/worlds", "")["worlds"], 3)
	c.do(200, "POST /_soundstage/reset", "")
	c.do(404, "POST /_soundstage/reset?world=none", "")
	c.do(200, "DELETE /_soundstage/worlds/ci-7", "")
	c.do(404, "DELETE /_soundstage/worlds/ci-7", "")
	c.do(409, "DELETE /_soundstage/worlds/default", "")
	c.do(404, "GET /_soundstage/nothing", "")
	const mcp = "POST /_soundstage/mcp"
	c.sendWith(http.Header{"Accept": {"application/json, text/event-stream"}}, 200, mcp, "application/json",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_clock","arguments":{}}}`)
	c.sendWith(http.Header{"Accept": {"application/json, text/event-stream"}}, 202, mcp, "application/json", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	require.Contains(c, c.send(400, mcp, "application/json", `{"jsonrpc":"2.0","id":1,"method":"ping"}`), "Accept must contain both")
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		req, err := http.NewRequestWithContext(c.Context(), method, c.url+"/_soundstage/mcp", nil)
		require.NoError(c, err)
		res, err := http.DefaultClient.Do(req)
		require.NoError(c, err)
		require.NoError(c, res.Body.Close())
		require.Equal(c, 405, res.StatusCode, "clients learn that there are no sessions")
		require.Equal(c, "POST", res.Header.Get("Allow"))
	}
}

func exchangeClock(c *client) {
	c.do(201, "POST /_soundstage/worlds", `{"name":"time","clock":"manual"}`)
	c.do(200, "GET /_soundstage/clock", "")
	c.do(200, "GET /_soundstage/renders/defaults", "")
	c.do(404, "GET /_soundstage/renders/defaults?world=nowhere", "")
	c.do(200, "PUT /_soundstage/renders/defaults", `{"look":{"preset":"minimal"},"target":"reels"}`)
	c.do(400, "PUT /_soundstage/renders/defaults", `{"style":"bold-poop"}`)
	c.do(404, "GET /_soundstage/clock?world=none", "")
	c.do(200, "PUT /_soundstage/clock?world=time", `{"now":"2026-01-01T00:00:00Z"}`)
	c.do(400, "PUT /_soundstage/clock?world=time", `{}`)
	c.do(200, "POST /_soundstage/clock/advance?world=time", `{"by":"15m"}`)
	c.do(400, "POST /_soundstage/clock/advance?world=time", `{}`)
	c.do(201, "POST /_soundstage/worlds", `{"name":"wall","clock":"real"}`)
	c.do(409, "POST /_soundstage/clock/advance?world=wall", `{"by":"15m"}`)
	c.do(404, "POST /_soundstage/clock/advance?world=time", `{"until":{"resource":"none","status":"completed"}}`)
	c.do(200, "POST /_soundstage/idle", "")
	c.do(400, "POST /_soundstage/idle", `{"timeout_ms":0}`)
}

func exchangeTraffic(c *client) {
	c.do(201, "POST /_soundstage/faults", `{"match":{"op":"listSpaces"},"do":{"status":418},"times":2}`)
	c.do(400, "POST /_soundstage/faults", `{"match":{"op":"listSpacez"},"do":{"status":418}}`)
	c.do(200, "GET /_soundstage/faults", "")
	c.do(404, "GET /_soundstage/faults?world=none", "")
	c.do(409, "POST /_soundstage/faults/verify", "")
	resp, err := http.Get(c.url + "/v1/spaces")
	require.NoError(c, err)
	require.NoError(c, resp.Body.Close())
	require.Equal(c, 418, resp.StatusCode)
	c.do(204, "DELETE /_soundstage/faults/fault-1", "")
	c.do(404, "DELETE /_soundstage/faults/fault-1", "")
	c.do(204, "DELETE /_soundstage/faults", "")
	c.do(404, "DELETE /_soundstage/faults?world=none", "")
	c.do(200, "POST /_soundstage/faults/verify", "")

	require.Len(c, c.do(200, "GET /_soundstage/requests?op=listSpaces&status=4xx&limit=5", "")["requests"], 1)
	c.do(400, "GET /_soundstage/requests?status=none", "")
	c.do(200, "GET /_soundstage/requests.har", "")
	c.do(400, "GET /_soundstage/requests.har?op=none", "")
	c.do(200, "POST /_soundstage/requests/find", `{"match":{"op":"listSpaces","status":418}}`)
	c.do(400, "POST /_soundstage/requests/find", `{"limit":-1}`)
	require.EqualValues(c, 1, c.do(200, "POST /_soundstage/requests/count", `{"match":{"fault":"fault-1"}}`)["count"])
	c.do(400, "POST /_soundstage/requests/count", `{"match":{"op":"none"}}`)
	c.do(200, "POST /_soundstage/requests/wait", `{"match":{"op":"listSpaces"}}`)
	c.do(408, "POST /_soundstage/requests/wait", `{"count":5,"timeout_ms":1}`)
	c.do(204, "DELETE /_soundstage/requests", "")
	c.do(404, "DELETE /_soundstage/requests?world=none", "")
}

func exchangeWebhooks(c *client) {
	const at = " /_soundstage/webhooks/"
	sink := c.do(200, "POST"+at+"sink", `{"status":[200]}`)["webhook_id"].(string)
	c.do(400, "POST"+at+"sink", `{"status":[99]}`)
	var id string
	c.open("GET"+at+"stream", "", func(next func() map[string]any) {
		sent := c.do(200, "POST"+at+"trigger", `{"event":"transcript.completed"}`)
		id = sent["messages"].([]any)[0].(string)
		require.Equal(c, id, next()["message"].(map[string]any)["id"])
	})
	c.do(400, "GET"+at+"stream?event=none", "")
	c.do(400, "POST"+at+"trigger", `{"event":"none"}`)
	c.do(200, "POST"+at+"outbox/wait", `{"event":"transcript.completed"}`)
	c.do(408, "POST"+at+"outbox/wait", `{"count":9,"timeout_ms":1}`)
	require.Len(c, c.do(200, "GET"+at+"outbox?limit=1", "")["messages"], 1)
	c.do(400, "GET"+at+"outbox?limit=0", "")
	c.do(200, "GET"+at+"outbox/"+id, "")
	c.do(404, "GET"+at+"outbox/none", "")
	for verb, body := range map[string]string{"resend": `{"sign":"anew"}`, "duplicate": "", "corrupt": `{"what":"signature"}`} {
		c.do(200, "POST"+at+"outbox/"+id+"/"+verb, body)
		c.do(404, "POST"+at+"outbox/none/"+verb, body)
	}
	c.do(400, "POST"+at+"outbox/"+id+"/corrupt", `{"what":"everything"}`)
	c.do(200, "POST"+at+"hold", `{"event":"transcript.completed"}`)
	c.do(400, "POST"+at+"hold", `{"event":"none"}`)
	c.do(200, "GET"+at+"hold", "")
	c.do(404, "GET"+at+"hold?world=none", "")
	c.do(200, "DELETE"+at+"hold", "")
	c.do(404, "DELETE"+at+"hold?world=none", "")
	c.do(200, "POST"+at+"reorder", `{"count":2}`)
	c.do(400, "POST"+at+"reorder", `{}`)
	c.do(404, "POST"+at+"reorder", `{"ids":["none"]}`)
	c.do(200, "POST"+at+"release", "")
	c.do(400, "POST"+at+"release", `{"all":true}`)
	c.do(200, "PUT"+at+"policy", `{"drop":1,"fail":{"status":500}}`)
	c.do(400, "PUT"+at+"policy", `{"drop":-1}`)
	c.do(200, "GET"+at+"policy", "")
	c.do(404, "GET"+at+"policy?world=none", "")
	c.do(200, "PUT"+at+"policy", `{}`)
	c.do(200, "DELETE"+at+"sink/"+sink, "")
	c.do(404, "DELETE"+at+"sink/"+sink, "")
	c.open("POST"+at+"listen", `{"events":["transcript.completed"]}`, func(next func() map[string]any) {
		hook := next()["listening"].(map[string]any)["webhook_id"].(string)
		c.do(200, "POST"+at+"trigger", `{"event":"transcript.completed"}`)
		seen := next()["request"].(map[string]any)["id"].(string)
		c.do(200, "POST"+at+"listen/"+hook+"/answers/"+seen, `{"status":204}`)
	})
	c.do(404, "POST"+at+"listen/none/answers/1", `{"status":204}`)
	c.do(400, "POST"+at+"listen", `{"events":["none"]}`)
}

func exchangeFixtures(c *client) {
	c.do(201, "POST /_soundstage/fixtures", `{"timelines":[{"of":"transcript","match":{"filename":"a.wav"},"steps":"queued 2s → error no_speech"}]}`)
	c.do(400, "POST /_soundstage/fixtures", `{"timeline":[]}`)
	require.Len(c, c.do(200, "GET /_soundstage/fixtures", "")["timelines"], 1)
	c.do(404, "GET /_soundstage/fixtures?world=none", "")
	c.do(200, "GET /_soundstage/magic", "")
}

func exchangeSnapshots(c *client) {
	file := c.send(200, "GET /_soundstage/snapshot", "", "")
	c.do(404, "GET /_soundstage/snapshot?world=none", "")
	c.send(200, "PUT /_soundstage/snapshot", "application/zip", file)
	c.send(400, "PUT /_soundstage/snapshot", "application/zip", file[:len(file)/2])
	c.do(201, "POST /_soundstage/snapshots", `{"name":"seeded"}`)
	c.do(400, "POST /_soundstage/snapshots", `{"nam":"seeded"}`)
	c.do(200, "GET /_soundstage/snapshots", "")
	c.do(200, "POST /_soundstage/snapshots/seeded/restore", "")
	c.do(404, "POST /_soundstage/snapshots/none/restore", "")
	c.do(200, "DELETE /_soundstage/snapshots/seeded", "")
	c.do(404, "DELETE /_soundstage/snapshots/seeded", "")
	c.do(200, "POST /_soundstage/capsule/start", "")
	c.do(404, "POST /_soundstage/capsule/start?world=none", "")
	c.do(200, "GET /_soundstage/capsule", "")
	c.do(404, "GET /_soundstage/capsule?world=none", "")
}

// exchangeConsole covers what the console needs: counts, secrets, jobs, the stream, and single requests.
func exchangeConsole(c *client) {
	const at = " /_soundstage/"
	c.do(201, "POST"+at+"worlds", `{"name":"live","clock":"manual"}`)
	c.do(200, "GET"+at+"counts?world=live", "")
	c.do(404, "GET"+at+"counts?world=none", "")
	require.Len(c, c.do(200, "GET"+at+"secrets?world=live", "")["secrets"], 5)
	c.do(404, "GET"+at+"secrets?world=none", "")
	c.note("GET", "/_soundstage/events", 200) // see TestStream
	c.do(400, "GET"+at+"events?types=none", "")
	c.do(404, "GET"+at+"events?world=none", "")

	c.createUpload("sk_sandbox_platform_live") // it has a job for its expiry
	jobs := c.do(200, "GET"+at+"jobs?world=live&status=queued,retrying&class=maintain&kind=upload.expire&limit=10", "")["jobs"].([]any)
	require.Len(c, jobs, 1)
	c.do(400, "GET"+at+"jobs?status=done", "")
	id := jobs[0].(map[string]any)["id"].(string)
	c.do(200, "GET"+at+"jobs/"+id+"?world=live", "")
	c.do(404, "GET"+at+"jobs/"+id, "")
	c.do(200, "POST"+at+"jobs/"+id+"/fail?world=live", `{"error":"No more."}`)
	c.do(200, "POST"+at+"jobs/"+id+"/step?world=live", "")
	for _, verb := range []string{"cancel", "fail", "step"} {
		c.do(409, "POST"+at+"jobs/"+id+"/"+verb+"?world=live", "")
		c.do(404, "POST"+at+"jobs/none/"+verb, `{}`)
		c.do(400, "POST"+at+"jobs/"+id+"/"+verb+"?world=live", `{"x":1}`)
	}
	c.createUpload("sk_sandbox_platform_live")
	c.createUpload("sk_sandbox_platform_live")
	next := c.do(200, "GET"+at+"jobs?world=live&status=queued&limit=1", "")
	require.NotEmpty(c, next["next"])
	c.do(200, "POST"+at+"jobs/"+next["jobs"].([]any)[0].(map[string]any)["id"].(string)+"/cancel?world=live", "")

	first := c.do(200, "GET"+at+"requests/1?world=live", "")["request"].(map[string]any)
	require.Equal(c, "createUpload", first["op"])
	c.do(404, "GET"+at+"requests/99?world=live", "")
	c.do(400, "GET"+at+"requests/0?world=live", "")
	again := c.do(200, "POST"+at+"requests/1/resend?world=live", "")["request"].(map[string]any)
	require.EqualValues(c, 1, again["resend_of"])
	require.EqualValues(c, 201, again["status"])
	c.do(404, "POST"+at+"requests/99/resend?world=live", "")
	c.do(400, "POST"+at+"requests/x/resend?world=live", "")
	exchangeMedia(c)
}

// exchangeMedia covers the media of a recording.
func exchangeMedia(c *client) {
	const at = "GET /_soundstage/recordings/"
	wav, err := os.ReadFile("../../testdata/tone.wav")
	require.NoError(c, err)
	up := c.as("POST", c.url+"/v1/uploads", "application/json", fmt.Sprintf(`{"filename":"tone.wav","content_type":"audio/wav","content_size":%d}`, len(wav)))
	c.as("PUT", up["upload_url"].(string), "audio/wav", string(wav))
	id := c.as("POST", c.url+"/v1/recordings", "application/json", fmt.Sprintf(`{"object_id":%q}`, up["object_id"]))["recording"].(map[string]any)["id"].(string)
	c.do(200, at+id+"/media", "")
	require.Equal(c, string(wav), c.send(200, at+id+"/media/content", "", ""))
	require.Len(c, c.do(200, at+id+"/media/peaks?count=10", "")["peaks"], 10)
	c.do(400, at+id+"/media/peaks?count=0", "")
	for _, path := range []string{"/media", "/media/content", "/media/peaks"} {
		c.do(404, at+"none"+path, "")
	}
}

// as sends a request with the platform secret, which must work, and returns the JSON response.
func (c *client) as(method, url, contentType, body string) (v map[string]any) {
	c.Helper()
	req, err := http.NewRequestWithContext(c.Context(), method, url, strings.NewReader(body))
	require.NoError(c, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	req.Header.Set("Content-Type", contentType)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(c, err)
	defer func() { _ = resp.Body.Close() }()
	require.Less(c, resp.StatusCode, 300)
	_ = json.NewDecoder(resp.Body).Decode(&v)
	return v
}

// createUpload creates an upload with a secret.
func (c *client) createUpload(secret string) {
	c.Helper()
	req, err := http.NewRequestWithContext(c.Context(), "POST", c.url+"/v1/uploads", strings.NewReader(`{"filename":"a.wav","content_type":"audio/wav","content_size":3}`))
	require.NoError(c, err)
	req.Header.Set("Authorization", "Bearer "+secret)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(c, err)
	require.NoError(c, resp.Body.Close())
	require.Equal(c, 201, resp.StatusCode)
}

// exchangeWithToken checks a server with a control token: public endpoints work, the others return 401.
func exchangeWithToken(c *client) {
	s, err := emulator.New(c.Context(), emulator.Options{Addr: "127.0.0.1:0", ControlToken: "t0ken"})
	require.NoError(c, err)
	front := httptest.NewServer(c.c.Check(c.T, s.Handler()))
	defer func() {
		front.Close()
		require.NoError(c, s.Close())
	}()
	guarded := *c
	guarded.url = front.URL
	guarded.do(200, "GET /_soundstage/health", "")
	guarded.do(200, "GET /_soundstage/openapi.yaml", "")
	for _, what := range []string{"GET /_soundstage/fidelity", "GET /_soundstage/worlds", "GET /_soundstage/magic", "GET /_soundstage/snapshots", "GET /_soundstage/events"} {
		guarded.do(401, what, "")
	}
}

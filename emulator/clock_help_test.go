package emulator_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// client calls a sandbox's handler without a socket, so that every URL is the same in each run.
type client struct {
	t         *testing.T
	handler   http.Handler
	responses []string // recorded for comparisons
}

func newClient(t *testing.T, o emulator.Options) *client {
	t.Helper()
	if o.PollWait == 0 { // the machine may be busy
		o.PollWait = time.Minute
	}
	if o.AdvanceWait == 0 {
		o.AdvanceWait = time.Minute
	}
	return &client{t: t, handler: start(t, o).Handler()}
}

// do sends a request and returns the response.
func (c *client) do(method, path, body string, header ...string) *httptest.ResponseRecorder {
	c.t.Helper()
	req := httptest.NewRequestWithContext(c.t.Context(), method, path, strings.NewReader(body))
	req.Host = "sandbox"
	if strings.HasPrefix(path, "/_soundstage/") {
		req.Host, req.RemoteAddr = "127.0.0.1", "127.0.0.1:1"
	}
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	if strings.HasPrefix(path, "/_soundstage/") {
		req.Host, req.RemoteAddr = "localhost", "127.0.0.1:1" // the control API accepts only local requests
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, req)
	if method != "GET" || strings.HasPrefix(path, "/v1") || strings.Contains(path, "/storage/") {
		h := w.Header()
		c.responses = append(c.responses, strings.Join([]string{
			method, path, strconv.Itoa(w.Code), h.Get("X-Request-Id"), h.Get("ETag"), h.Get("Date"), h.Get("Last-Modified"), w.Body.String(),
		}, " "))
	}
	return w
}

// json sends a request, requires a status, and returns the decoded body.
func (c *client) json(status int, method, path, body string) map[string]any {
	c.t.Helper()
	w := c.do(method, path, body)
	require.Equal(c.t, status, w.Code, "%s %s: %s", method, path, w.Body)
	var v map[string]any
	if w.Body.Len() > 0 {
		require.NoError(c.t, json.Unmarshal(w.Body.Bytes(), &v), "%s", w.Body)
	}
	return v
}

// record uploads a file and returns its recording's id.
func (c *client) record(file string) string {
	c.t.Helper()
	b, err := os.ReadFile("../testdata/" + file)
	require.NoError(c.t, err)
	return c.upload(file, "audio/wav", b)
}

// upload uploads a file and returns its recording's id.
func (c *client) upload(name, contentType string, b []byte) string {
	c.t.Helper()
	up := c.json(201, "POST", "/v1/uploads", `{"filename":"`+name+`","content_type":"`+contentType+`","content_size":`+strconv.Itoa(len(b))+`}`)
	w := c.do("PUT", strings.TrimPrefix(up["upload_url"].(string), "http://example.com"), string(b), "Content-Type", contentType)
	require.Equal(c.t, 200, w.Code, "%s", w.Body)
	r := c.json(201, "POST", "/v1/recordings", `{"object_id":"`+up["object_id"].(string)+`"}`)
	return r["recording"].(map[string]any)["id"].(string)
}

// advance moves the clock.
func (c *client) advance(body string) map[string]any {
	c.t.Helper()
	return c.json(200, "POST", "/_soundstage/clock/advance", body)
}

// status returns a resource's status, at whatever depth of the response.
func (c *client) status(path string) string {
	c.t.Helper()
	v := c.json(200, "GET", path, "")
	for _, inner := range []string{"recording", "render"} {
		if w, ok := v[inner].(map[string]any); ok {
			v = w
		}
	}
	if s, ok := v["transcript_status"].(string); ok {
		return s
	}
	if s, ok := v["status"].(string); ok {
		return s
	}
	return strconv.FormatFloat(v["count"].(float64), 'f', 0, 64)
}

// things creates one resource of each kind that takes time, for a recording with a transcript. It returns their paths by noun.
func (c *client) things(recording string) map[string]string {
	c.t.Helper()
	paths := map[string]string{"suggestions": "/v1/recordings/" + recording + "/clip-suggestions"}
	c.json(200, "GET", paths["suggestions"]+"?generate=true", "")
	paths["output"] = "/v1/outputs/" + c.json(202, "POST", "/v1/recordings/"+recording+"/generate", `{"prompt":"Sum it up."}`)["output_id"].(string)
	paths["chat"] = "/v1/chat/" + c.json(202, "POST", "/v1/chat", `{"message":"What?","recording_ids":["`+recording+`"]}`)["chat_id"].(string)
	paths["import"] = "/v1/imports/" + c.json(202, "POST", "/v1/imports", `{"url":"https://www.youtube.com/watch?v=one"}`)["import_id"].(string)
	paths["transcript"] = "/v1/transcripts/" + c.json(201, "POST", "/v1/transcripts", `{"url":"https://www.youtube.com/watch?v=two"}`)["id"].(string)
	render := c.json(202, "POST", "/v1/renders", `{"recording_id":"`+recording+`","start_ms":0,"end_ms":1200}`)
	paths["render"] = "/v1/renders/" + render["render"].(map[string]any)["id"].(string)
	return paths
}

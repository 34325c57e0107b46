package proxy_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/drift"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// mistake is a deliberate mistake of the service.
type mistake struct {
	name    string
	applies func(*http.Response) bool
	ask     func(*http.Request) // changes the request that the service gets; may be nil
	status  int                 // instead of the real one, unless 0
	header  func(http.Header)   // may be nil
	edit    func(v map[string]any)
	finds   string // id of a finding
}

func at(method, suffix string, status int) func(*http.Response) bool {
	return func(r *http.Response) bool {
		return r.Request.Method == method && strings.HasSuffix(r.Request.URL.Path, suffix) && r.StatusCode == status
	}
}

// mistakes are ten mistakes of ten kinds.
var mistakes = []mistake{
	{name: "a missing member", applies: at("GET", "/v1/usage", 200), finds: "getUsage.200.missing-member./storage/percentage",
		edit: func(v map[string]any) { delete(v["storage"].(map[string]any), "percentage") }},
	{name: "a wrong type", applies: at("GET", "/v1/spaces", 200), finds: "listSpaces.200.type./count", edit: func(v map[string]any) { v["count"] = "1" }},
	{name: "a wrong status", applies: at("POST", "/v1/uploads", 201), status: 200, finds: "createUpload.200.status"},
	{name: "a missing header", applies: at("GET", "/v1/spaces", 401), header: func(h http.Header) { h.Del("WWW-Authenticate") }, finds: "auth.missing-401"},
	{name: "a wrong enum", applies: at("GET", "/v1/recordings", 200), finds: "listRecordings.200.enum./recordings/*/transcript_status", edit: func(v map[string]any) {
		v["recordings"].([]any)[0].(map[string]any)["transcript_status"] = "done"
	}},
	{name: "a wrong error code", applies: at("GET", "0000000000ff", 404), status: 400, finds: "recordings.get.unknown"},
	{name: "a cursor that opens the same page", ask: func(r *http.Request) {
		if q := r.URL.Query(); q.Has("cursor") {
			q.Del("cursor")
			r.URL.RawQuery = q.Encode()
		}
	}, finds: "recordings.list.cursor.opens-next-page"},
	{name: "a second recording of one object", applies: at("POST", "/v1/recordings", 409), status: 201, finds: "recordings.create.twice", edit: func(v map[string]any) {
		delete(v, "error")
		_ = json.Unmarshal([]byte(created), &v)
	}},
	{name: "a wrong content type", applies: func(r *http.Response) bool { return strings.Contains(r.Request.URL.RawQuery, "format=vtt") }, finds: "recordings.transcript.content-types",
		header: func(h http.Header) { h.Set("Content-Type", "text/plain; charset=utf-8") }},
	{name: "another time format", applies: at("POST", "/v1/webhooks", 201), finds: "createWebhook.201.value./webhook/created_at", edit: func(v map[string]any) {
		hook := v["webhook"].(map[string]any)
		hook["created_at"] = strings.NewReplacer("T", " ", "Z", "").Replace(hook["created_at"].(string))
	}},
}

const created = `{"recording":{"id":"0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11","title":"talk.mp3","space":{"id":"00000000-0000-4000-8000-000000000030","name":"Sandbox"},
	"created_at":"2026-01-01T00:00:00Z","published_at":"2026-01-01T00:00:00Z","language":"en","transcript_status":"queued","duration_minutes":0,"has_transcript":false,
	"number":99,"episode_number":null,"season_number":null,"rss":null}}`

// mistaken serves a service with mistakes.
func mistaken(t *testing.T, to string, all []mistake) string {
	t.Helper()
	target, err := url.Parse(to)
	require.NoError(t, err)
	s := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
			for _, m := range all {
				if m.ask != nil {
					m.ask(r.Out)
				}
			}
		},
		ModifyResponse: func(resp *http.Response) error {
			for _, m := range all {
				if m.applies != nil && m.applies(resp) {
					return m.change(resp)
				}
			}
			return nil
		},
	})
	t.Cleanup(s.Close)
	return s.URL
}

func (m mistake) change(resp *http.Response) error {
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if m.status != 0 {
		resp.StatusCode = m.status
	}
	if m.header != nil {
		m.header(resp.Header)
	}
	if m.edit != nil {
		var v map[string]any
		if err := json.Unmarshal(body, &v); err != nil {
			return err
		}
		m.edit(v)
		if body, err = json.Marshal(v); err != nil {
			return err
		}
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return nil
}

// reported returns the drift report of a day with a service.
func reported(t *testing.T, to string) drift.Report {
	t.Helper()
	checker, err := drift.New()
	require.NoError(t, err)
	base, k := through(t, to)
	day(t, client{t, base, "sk_sandbox_platform"})
	for _, x := range k.exchanges() {
		checker.Add(x)
	}
	return checker.Report(to)
}

// The report of the sandbox is empty. That of the sandbox with ten deliberate mistakes has all ten, and nothing that none of them causes.
func TestTenMistakes(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts two sandboxes")
	s := startSandbox(t, emulator.Options{})
	same := reported(t, s.URL())
	require.Empty(t, same.Findings, "the sandbox does not differ from its contract")
	require.Greater(t, same.Statements.Confirmed, 50)

	s = startSandbox(t, emulator.Options{})
	r := reported(t, mistaken(t, s.URL(), mistakes))
	found := map[string]drift.Finding{}
	for _, f := range r.Findings {
		found[f.ID] = f
	}
	for _, m := range mistakes {
		require.Contains(t, found, m.finds, m.name)
		delete(found, m.finds)
	}
	for _, also := range []string{"uploads.create.status-201", "getRecording.400.status", "answers.timestamps"} {
		delete(found, also) // other signs of the same mistakes
	}
	require.Empty(t, found, "no finding without a mistake")
}

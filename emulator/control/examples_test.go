package control_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// ask sends a request "METHOD /path" to a sandbox, and returns the status and the JSON body.
func ask(t *testing.T, h http.Handler, what, body string, change ...func(*http.Request)) (int, map[string]any) {
	t.Helper()
	method, path, _ := strings.Cut(what, " ")
	var sent io.Reader // nil means no body
	if body != "" {
		sent = strings.NewReader(body)
	}
	req := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1"+path, sent)
	req.RemoteAddr = "127.0.0.1:1"
	req.Header.Set("Content-Type", "application/json")
	for _, f := range change {
		f(req)
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	var v map[string]any
	if strings.HasPrefix(rec.Body.String(), "{") {
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &v), what)
	}
	return rec.Code, v
}

// Each error of an example in the document is, with its hint, what a real request gets.
func TestErrorExamples(t *testing.T) {
	t.Parallel()
	start := func(o emulator.Options) (http.Handler, func()) {
		s, err := emulator.New(t.Context(), o)
		require.NoError(t, err)
		t.Cleanup(func() { _ = s.Close() })
		return s.Handler(), func() { require.NoError(t, s.Close()) }
	}
	h, _ := start(emulator.Options{FFmpegOptional: true, MaxWorlds: 3})
	manual, _ := start(emulator.Options{FFmpegOptional: true, Clock: emulator.ClockManual})
	realTime, _ := start(emulator.Options{FFmpegOptional: true, Clock: emulator.ClockReal})
	guarded, _ := start(emulator.Options{FFmpegOptional: true, ControlToken: "t0ken"})
	kept, _ := start(emulator.Options{FFmpegOptional: true, DataDir: t.TempDir()})
	busy, _ := start(emulator.Options{FFmpegOptional: true, Transcriber: endless{}, Live: []queue.Class{queue.ClassTranscribe}})
	closed, end := start(emulator.Options{FFmpegOptional: true})
	end()

	// The examples are about a request with a number, a job that has ended, a world that exists, and full lists.
	authorized := func(r *http.Request) { r.Header.Set("Authorization", "Bearer sk_sandbox_platform") }
	list := func() { ask(t, h, "GET /v1/spaces", "", authorized) }
	list()
	ask(t, h, "POST /v1/uploads", strings.Repeat(" ", 70_000), authorized)
	ask(t, h, "POST /_soundstage/worlds", `{"name":"ci-7"}`)
	ask(t, h, "POST /_soundstage/worlds", `{"name":"ci-9"}`)
	ask(t, manual, "POST /_soundstage/faults", `{"match":{"op":"listSpaces","nth":2},"do":{"status":503},"times":2}`)
	ask(t, manual, "POST /v1/uploads", `{"filename":"a.wav","content_type":"audio/wav","content_size":9}`, authorized)
	_, jobs := ask(t, manual, "GET /_soundstage/jobs?kind=upload.expire", "")
	job := jobs["jobs"].([]any)[0].(map[string]any)["id"].(string)
	ask(t, manual, "POST /_soundstage/jobs/"+job+"/cancel", "{}")
	for i := range 100 {
		ask(t, manual, "POST /_soundstage/snapshots", fmt.Sprintf(`{"name":"s%d"}`, i))
	}

	tone, err := os.ReadFile("../../testdata/tone.wav")
	require.NoError(t, err)
	_, up := ask(t, busy, "POST /v1/uploads", fmt.Sprintf(`{"filename":"a.wav","content_type":"audio/wav","content_size":%d}`, len(tone)), authorized)
	ask(t, busy, "PUT "+strings.TrimPrefix(up["upload_url"].(string), "http://127.0.0.1"), string(tone), func(r *http.Request) { r.Header.Set("Content-Type", "audio/wav") })
	ask(t, busy, "POST /v1/recordings", fmt.Sprintf(`{"object_id":%q}`, up["object_id"]), authorized)

	got := map[string]map[string]any{} // by component, or by endpoint and status
	for name, c := range map[string]struct {
		at         http.Handler
		status     int
		what, body string
		change     func(*http.Request)
	}{
		"Invalid":         {at: h, status: 400, what: "POST /_soundstage/worlds", body: `{"nam":"x"}`},
		"Unauthenticated": {at: guarded, status: 401, what: "GET /_soundstage/counts"},
		"Forbidden":       {at: h, status: 403, what: "GET /_soundstage/counts", change: func(r *http.Request) { r.RemoteAddr = "192.0.2.1:1" }},
		"NoWorld":         {at: h, status: 404, what: "GET /_soundstage/counts?world=ci-8"},
		"NotFound":        {at: h, status: 404, what: "GET /_soundstage/webhooks/outbox/0b5d1f0e-7c59-4f0f-9c8e-2f1f1a7d1c11"},
		"NoRequest":       {at: h, status: 404, what: "GET /_soundstage/requests/12"},
		"JobConflict":     {at: manual, status: 409, what: "POST /_soundstage/jobs/" + job + "/cancel", body: "{}"},
		"Timeout":         {at: h, status: 408, what: "POST /_soundstage/requests/wait", body: `{"match":{"op":"listSpaces"},"count":5,"timeout_ms":50}`},
		"Conflict":        {at: kept, status: 409, what: "GET /_soundstage/snapshot"},
		"TooLarge":        {at: h, status: 413, what: "POST /_soundstage/faults", body: `{"x":"` + strings.Repeat("x", 1<<20) + `"}`},
		"Unavailable":     {at: closed, status: 503, what: "POST /_soundstage/worlds", body: `{}`},
		"Full":            {at: manual, status: 507, what: "POST /_soundstage/snapshots", body: `{"name":"one-more"}`},

		"POST /_soundstage/reset 409":                    {at: kept, status: 409, what: "POST /_soundstage/reset", body: "{}"},
		"POST /_soundstage/worlds 409":                   {at: h, status: 409, what: "POST /_soundstage/worlds", body: `{"name":"ci-7"}`},
		"POST /_soundstage/worlds 507":                   {at: h, status: 507, what: "POST /_soundstage/worlds", body: `{}`},
		"DELETE /_soundstage/worlds/{name} 409":          {at: h, status: 409, what: "DELETE /_soundstage/worlds/default"},
		"POST /_soundstage/clock/advance 409":            {at: realTime, status: 409, what: "POST /_soundstage/clock/advance", body: `{"by":"1s"}`},
		"POST /_soundstage/requests/{number}/resend 409": {at: h, status: 409, what: "POST /_soundstage/requests/2/resend", body: "{}"},
		"POST /_soundstage/idle 504":                     {at: busy, status: 504, what: "POST /_soundstage/idle", body: `{"timeout_ms":50}`},
		"POST /_soundstage/faults/verify 409":            {at: manual, status: 409, what: "POST /_soundstage/faults/verify", body: "{}"},
	} {
		change := c.change
		if change == nil {
			change = func(*http.Request) {}
		}
		status, v := ask(t, c.at, c.what, c.body, change)
		require.Equal(t, c.status, status, "%s: %v", name, v)
		got[name] = v
	}
	got["Internal"] = map[string]any{"error": engine.Message(&engine.Error{Code: engine.CodeInternal})}

	documented := documentedErrors(t)
	for name, want := range documented {
		if v, ok := got[name]; ok {
			if want["error"] != v["error"] || want["hint"] != v["hint"] {
				t.Errorf("%s\n  want %v\n  got  %v", name, want, v)
			}
			delete(got, name)
			continue
		}
		t.Errorf("no request for the example of %s: %v", name, want)
	}
	require.Empty(t, got, "requests without an example")
}

// endless is a Transcriber that works until it is stopped.
type endless struct{}

func (endless) Transcribe(ctx context.Context, _ engine.TranscribeRequest) (engine.Transcription, error) {
	<-ctx.Done()
	return engine.Transcription{}, ctx.Err()
}

// documentedErrors returns the examples of errors, by the name of the component, or by endpoint and status.
func documentedErrors(t *testing.T) map[string]map[string]any {
	t.Helper()
	c := parse(t)
	all := map[string]map[string]any{}
	add := func(name string, r *openapi3.Response) {
		if m := r.Content["application/json"]; m != nil {
			if v, ok := m.Example.(map[string]any); ok && v["error"] != nil {
				all[name] = v
			}
		}
	}
	for name, r := range c.Doc.Components.Responses {
		add(name, r.Value)
	}
	for pattern, op := range operations(c) {
		for status, r := range op.Responses.Map() {
			if r.Ref == "" && status >= "400" {
				add(pattern+" "+status, r.Value)
			}
		}
	}
	return all
}

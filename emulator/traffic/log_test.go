package traffic_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
)

// An entry holds everything about an exchange except its secrets.
func TestEntry(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	tr := traffic.New(traffic.Config{Now: func() time.Time { return now }, MaxBody: 8})
	req := httptest.NewRequest("POST", "/v1/recordings/r%2F1/generate?a=b&sig=hunter2", strings.NewReader("123456789"))
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	req.Header.Set("Cookie", "a=hunter2")
	tr.Wrap(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		w.(interface{ NoteCaller(engine.Caller) }).NoteCaller(engine.Caller{Tier: engine.TierCore, KeyID: "key-1"})
		w.Header().Set("X-Soundstage-Reason", "because")
		w.WriteHeader(404)
		_, _ = io.WriteString(w, "äöü and more")
	})).ServeHTTP(httptest.NewRecorder(), req)
	found, err := tr.Find(traffic.Match{Op: "generateOutput"})
	require.NoError(t, err)
	require.Len(t, found, 1)
	raw, err := json.Marshal(found[0])
	require.NoError(t, err)
	require.NotContains(t, string(raw), "hunter2")
	require.NotContains(t, string(raw), "platform")
	var e map[string]any
	require.NoError(t, json.Unmarshal(raw, &e))
	require.GreaterOrEqual(t, e["duration_ms"], 0.0)
	delete(e, "duration_ms")
	require.Equal(t, map[string]any{
		"number": 1.0, "time": "2030-01-02T03:04:05Z", "method": "POST", "path": "/v1/recordings/r%2F1/generate", "op": "generateOutput", "resource": "r/1",
		"query": "a=b&sig=***", "proto": "HTTP/1.1", "host": "example.com", "tier": "core", "key": "key-1", "secret": "sk_sandbox_***form", "reason": "because", "status": 404.0,
		"request_headers":  map[string]any{"Authorization": []any{"Bearer sk_sandbox_***"}, "Cookie": []any{"***"}},
		"request_body":     map[string]any{"text": "12345678", "bytes": 9.0, "truncated": true},
		"response_headers": map[string]any{"X-Soundstage-Reason": []any{"because"}},
		"response_body":    map[string]any{"text": "äöü a", "bytes": 15.0, "truncated": true},
	}, e)
	require.Equal(t, "Bearer sk_sandbox_platform", req.Header.Get("Authorization"), "the request itself is unchanged")
}

// The body written for a HEAD request is not sent and not logged.
func TestEntryOfHEAD(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	require.Equal(t, 200, s.do("HEAD", "/v1/spaces", "").status)
	found, err := s.traffic.Wait(t.Context(), traffic.Match{Op: "listSpaces"}, 1)
	require.NoError(t, err)
	require.Equal(t, traffic.Body{}, found[0].ResponseBody)
	require.Equal(t, 200, found[0].Status)
}

// Secrets of any form are redacted.
func TestRedaction(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	handler := s.traffic.Wrap(http.HandlerFunc(s.serve))
	for sent, want := range map[string]string{
		"Bearer abcdefghijklmnop":              "Bearer ***",
		"Bearer sk_live_4f_9d_whatever":        "Bearer sk_live_4f_***",
		"Bearer 0123456789abcdef_ghi":          "Bearer ***",
		"secret":                               "***",
		"Basic eHh4":                           "Basic ***",
		"Bearer ":                              "Bearer ***",
		"Bearer sk_sandbox_a sk_sandbox_other": "Bearer sk_sandbox_***",
	} {
		req := httptest.NewRequest("GET", "/v1/spaces", nil)
		req.Header.Set("Authorization", sent)
		since := s.traffic.Last()
		handler.ServeHTTP(httptest.NewRecorder(), req)
		require.Equal(t, want, s.find(traffic.Match{Since: since})[0].RequestHeaders.Get("Authorization"))
	}
}

// The log drops its oldest exchanges when there are too many or when they use too much memory.
func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]traffic.Config{"by number": {MaxEntries: 10}, "by bytes": {MaxBytes: 30_000, MaxBody: 2000}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, c)
			handler := s.traffic.Wrap(http.HandlerFunc(s.serve))
			for range 200 {
				handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/v1/uploads", strings.NewReader(strings.Repeat("x", 5000))))
			}
			found := s.find(traffic.Match{})
			require.LessOrEqual(t, len(found), 12)
			require.GreaterOrEqual(t, len(found), 8)
			require.Equal(t, int64(200), found[len(found)-1].Number)
			require.Equal(t, int64(201-len(found)), found[0].Number)
			require.Equal(t, int64(5000), found[0].RequestBody.Bytes)
			s.traffic.Clear()
			require.Empty(t, s.find(traffic.Match{}))
			require.Equal(t, int64(200), s.traffic.Last())
		})
	}
}

// Each field of a Match selects exchanges.
func TestMatch(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "createUpload"}, Do: traffic.Do{Status: 503}})
	s.do("POST", "/v1/uploads", `{"filename":"a"}`)
	s.do("GET", "/v1/recordings/r1/transcript?format=txt", "")
	s.do("DELETE", "/v1/webhooks/w1", "")
	s.do("POST", "/v1/webhooks/w1/deliveries/d1/replay", "")
	for _, k := range []struct {
		match string
		want  []int64
	}{
		{`{}`, []int64{1, 2, 3, 4}},
		{`{"op":"createUpload"}`, []int64{1}},
		{`{"method":"post"}`, []int64{1, 4}},
		{`{"path":"/v1/recordings/{id}/transcript"}`, []int64{2}},
		{`{"path":"/v1/recordings/:id/transcript"}`, []int64{2}},
		{`{"path":"/v1/recordings/r1/transcript"}`, []int64{2}},
		{`{"path":"/v1/recordings/{id}"}`, nil},
		{`{"resource":"w1"}`, []int64{3, 4}},
		{`{"resource":"d1"}`, []int64{4}},
		{`{"status":503}`, []int64{1}},
		{`{"status":"503"}`, []int64{1}},
		{`{"status":"2xx"}`, []int64{2, 3, 4}},
		{`{"status":204}`, []int64{3}},
		{`{"fault":"fault-1"}`, []int64{1}},
		{`{"since":2}`, []int64{3, 4}},
		{`{"body_contains":"filename"}`, []int64{1}},
		{`{"headers":{"authorization":"Bearer sk_sandbox_***"},"method":"DELETE"}`, []int64{3}},
		{`{"headers":{"X-Nothing":"a"}}`, nil},
		{`{"tier":"core"}`, nil},
	} {
		var m traffic.Match
		require.NoError(t, json.Unmarshal([]byte(k.match), &m))
		var numbers []int64
		for _, e := range s.find(m) {
			numbers = append(numbers, e.Number)
		}
		require.Equal(t, k.want, numbers, k.match)
	}
}

// A match that no exchange can satisfy is rejected.
func TestImpossibleMatch(t *testing.T) {
	t.Parallel()
	tr := traffic.New(traffic.Config{})
	for raw, want := range map[string]string{
		`{"op":"listSpace"}`: "Unknown operation \"listSpace\"; did you mean listSpaces?",
		`{"status":42}`:      "status must be",
		`{"status":"4x"}`:    "status must be",
		`{"status":"9xx"}`:   "status must be",
		`{"status":true}`:    "status must be",
		`{"since":-1}`:       "since",
	} {
		var m traffic.Match
		err := json.Unmarshal([]byte(raw), &m)
		if err == nil {
			_, err = tr.Count(m)
		}
		require.ErrorContains(t, err, want, raw)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), raw)
	}
	for _, count := range []int{0, 1001} {
		_, err := tr.Wait(t.Context(), traffic.Match{}, count)
		require.ErrorContains(t, err, "from 1 to 1000")
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	}
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(tr.WriteHAR(io.Discard, traffic.Match{Since: -1}, "1")))
}

// Wait returns old matches immediately, waits for new ones, and fails when the time is up or the world is closed.
func TestWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tr := traffic.New(traffic.Config{})
		handler := tr.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		send := func() { handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/spaces", nil)) }
		send()
		m := traffic.Match{Op: "listSpaces"}
		found, err := tr.Wait(t.Context(), m, 1)
		require.NoError(t, err)
		require.Len(t, found, 1)
		time.AfterFunc(time.Minute, send)
		time.AfterFunc(2*time.Minute, send)
		start := time.Now()
		found, err = tr.Wait(t.Context(), m, 3)
		require.NoError(t, err)
		require.Len(t, found, 3)
		require.Equal(t, 2*time.Minute, time.Since(start))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		found, err = tr.Wait(ctx, m, 4)
		require.Equal(t, engine.CodeCanceled, engine.CodeOf(err))
		require.True(t, errors.Is(err, context.DeadlineExceeded))
		require.Len(t, found, 3)
		time.AfterFunc(time.Second, tr.Close)
		_, err = tr.Wait(t.Context(), m, 4)
		require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	})
}

// An exchange is in the log before the client has its response.
func TestLogIsAheadOfTheClient(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	for i := range 50 {
		require.Equal(t, 200, s.do("GET", "/v1/spaces", "").status)
		require.Equal(t, int64(i+1), s.traffic.Last())
	}
}

// A handler that panics is logged as aborted, and the panic propagates.
func TestPanicIsLogged(t *testing.T) {
	t.Parallel()
	tr := traffic.New(traffic.Config{})
	handler := tr.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("defect") }))
	require.PanicsWithValue(t, "defect", func() { handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/spaces", nil)) })
	found, err := tr.Find(traffic.Match{Status: "0"})
	require.NoError(t, err)
	require.True(t, found[0].Aborted)
}

// BenchmarkWrap measures the cost of the log for a simple request.
func BenchmarkWrap(b *testing.B) {
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "26")
		_, _ = io.WriteString(w, responseText)
	})
	for name, handler := range map[string]http.Handler{"without": next, "with": traffic.New(traffic.Config{}).Wrap(next)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			req := httptest.NewRequest("GET", "/v1/spaces", nil)
			req.Header = http.Header{"Authorization": {"Bearer sk_sandbox_platform"}, "User-Agent": {"Go-http-client/1.1"}, "Accept-Encoding": {"gzip"}}
			for b.Loop() {
				handler.ServeHTTP(httptest.NewRecorder(), req)
			}
		})
	}
}

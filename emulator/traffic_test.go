package emulator_test

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// fail sends a request on its own connection and returns the error.
func fail(t *testing.T, method, url, body string) error {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	req.Header.Set("Content-Type", "audio/wav")
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	_, err = io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	return err
}

// fault adds a fault through the control API.
func fault(t *testing.T, s *emulator.Server, body string) {
	t.Helper()
	status, v := call(t, "POST", s.URL()+"/_soundstage/faults", body)
	require.Equal(t, 201, status, "%v", v)
}

// After commit_then_drop, the recording exists although the client got no response, and a retry gets 409.
func TestCommitThenDropOfARecording(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{})
	_, up := call(t, "POST", s.URL()+"/v1/uploads", anUpload)
	require.NoError(t, fail(t, "PUT", up["upload_url"].(string), "12345"))
	fault(t, s, `{"match":{"op":"createRecording"},"do":{"commit_then_drop":true}}`)
	body := `{"object_id":"` + up["object_id"].(string) + `"}`
	require.ErrorIs(t, fail(t, "POST", s.URL()+"/v1/recordings", body), io.EOF)
	_, v := call(t, "GET", s.URL()+"/v1/recordings", "")
	require.Equal(t, 1.0, v["count"])
	status, _ := call(t, "POST", s.URL()+"/v1/recordings", body)
	require.Equal(t, 409, status)
	status, v = call(t, "POST", s.URL()+"/_soundstage/requests/find", `{"match":{"op":"createRecording"}}`)
	require.Equal(t, 200, status)
	requests := v["requests"].([]any)
	require.Len(t, requests, 2)
	first, second := requests[0].(map[string]any), requests[1].(map[string]any)
	require.Equal(t, 201.0, first["status"])
	require.Equal(t, true, first["aborted"])
	require.Equal(t, "fault-1", first["fault"])
	require.Equal(t, "platform", first["tier"])
	require.Contains(t, second["reason"], "An object that already has a recording returns 409")
}

// An aborted PUT stores nothing, even when it aborts after the last byte.
func TestResetOfAnUpload(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{})
	for _, after := range []string{"0", "2", "5", "500"} {
		_, up := call(t, "POST", s.URL()+"/v1/uploads", anUpload)
		fault(t, s, `{"match":{"op":"putObject","resource":"`+up["object_id"].(string)+`"},"do":{"reset_after_bytes":`+after+`}}`)
		require.ErrorIs(t, fail(t, "PUT", up["upload_url"].(string), "12345"), syscall.ECONNRESET)
		status, _ := call(t, "POST", s.URL()+"/v1/recordings", `{"object_id":"`+up["object_id"].(string)+`"}`)
		require.Equal(t, 422, status, after)
		require.NoError(t, fail(t, "PUT", up["upload_url"].(string), "12345"), "the next attempt succeeds")
	}
	fault(t, s, `{"match":{"op":"listSpaces"},"do":{"truncate":20}}`)
	require.ErrorIs(t, fail(t, "GET", s.URL()+"/v1/spaces", ""), io.ErrUnexpectedEOF)
	status, v := call(t, "POST", s.URL()+"/_soundstage/faults/verify", "")
	require.Equal(t, 200, status, "%v", v)
}

// The control API adds, lists, verifies, and removes faults, and rejects those that can never happen.
func TestFaultsOfTheControlAPI(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{})
	at := s.URL() + "/_soundstage/faults"
	for body, want := range map[string]string{
		`{"match":{"op":"createUplod"},"do":{"status":500}}`:       "did you mean createUpload?",
		`{"match":{"op":"*"},"do":{"staus":500}}`:                  "did you mean status?",
		`{"match":{"op":"*"},"do":{"status":"x"}}`:                 "wrong type",
		`{"match":{"op":"*","nht":1},"do":{"status":500}}`:         `Unknown field "nht"`,
		`{"match":{"path":"/v2/spaces"},"do":{"status":500}}`:      "did you mean /v1/spaces?",
		`{"match":{"op":"*"},"do":{"status":500},"probability":1}`: "needs a seed",
		`{`: "not a JSON object",
	} {
		status, v := call(t, "POST", at, body)
		require.Equal(t, 400, status, body)
		require.Contains(t, v["error"], want)
	}
	fault(t, s, `{"match":{"op":"listSpaces"},"do":{"status":503},"times":2}`)
	fault(t, s, `{"match":{"event":"output.completed"},"do":{"duplicate_webhook":true}}`)
	status, _ := call(t, "GET", s.URL()+"/v1/spaces", "")
	require.Equal(t, 503, status)
	status, v := call(t, "GET", at, "")
	require.Equal(t, 200, status)
	require.Len(t, v["remaining"], 2)
	require.Len(t, v["fired"], 1)
	status, v = call(t, "POST", at+"/verify", "")
	require.Equal(t, 409, status)
	require.Len(t, v["unfired"], 2)
	status, _ = call(t, "DELETE", at+"/fault-1", "")
	require.Equal(t, 204, status)
	status, _ = call(t, "DELETE", at+"/fault-1", "")
	require.Equal(t, 404, status)
	status, _ = call(t, "DELETE", at, "")
	require.Equal(t, 204, status)
	status, _ = call(t, "POST", at+"/verify", "")
	require.Equal(t, 200, status)
	status, _ = call(t, "GET", at+"?world=nobody", "")
	require.Equal(t, 404, status)
}

// Requests of two keys of one tier are distinguished by the ID of the key and the end of its secret. Of an unknown secret, only the prefix is shown.
func TestRequestsByKey(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{})
	sent := []string{"sk_sandbox_platform", "sk_sandbox_other", "sk_sandbox_none", "sk_live_hunter2hunter2", "sk_sandbox_platform", ""}
	for _, secret := range sent {
		req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL()+"/v1/spaces", nil)
		require.NoError(t, err)
		if secret != "" {
			req.Header.Set("Authorization", "Bearer "+secret)
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
	at := s.URL() + "/_soundstage/requests"
	_, v := call(t, "GET", at, "")
	var shown []any
	keys := map[any]int{}
	for _, r := range v["requests"].([]any) {
		r := r.(map[string]any)
		shown = append(shown, r["secret"])
		keys[r["key"]]++
	}
	require.Equal(t, []any{"sk_sandbox_***form", "sk_sandbox_***" + "other"[1:], "sk_sandbox_***none", "sk_live_***", "sk_sandbox_***form", nil}, shown)
	first := v["requests"].([]any)[0].(map[string]any)["key"]
	require.Equal(t, 2, keys[first])
	require.Equal(t, 2, keys[nil])
	require.Len(t, keys, 4)
	_, v = call(t, "GET", at+"?key="+first.(string), "")
	require.Equal(t, 2.0, v["count"])
	_, v = call(t, "POST", at+"/count", `{"match":{"key":"`+first.(string)+`"}}`)
	require.Equal(t, 2.0, v["count"])
	_, v = call(t, "POST", at+"/count", `{"match":{"tier":"none"}}`)
	require.Equal(t, 1.0, v["count"])
}

// The control API lists, counts, waits for, exports, and clears requests.
func TestRequestsOfTheControlAPI(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{Version: "1.2.3"})
	at := s.URL() + "/_soundstage/requests"
	call(t, "GET", s.URL()+"/v1/spaces", "")
	call(t, "GET", s.URL()+"/v1/recordings/x", "")
	status, v := call(t, "GET", at+"?status=4xx&method=GET&path=/v1/recordings/{id}&op=getRecording&since=0&limit=5", "")
	require.Equal(t, 200, status)
	require.Equal(t, 1.0, v["count"])
	require.Equal(t, 2.0, v["last"])
	require.Equal(t, `assumption, "Recordings": An unknown recording returns 404 (assumed)`, v["requests"].([]any)[0].(map[string]any)["reason"])
	_, v = call(t, "GET", at+"?limit=1", "")
	require.Equal(t, 2.0, v["requests"].([]any)[0].(map[string]any)["number"], "the newest requests")
	for _, query := range []string{"?op=x", "?status=1", "?since=x", "?since=-1", "?limit=0", "?limt=1", "?%zz", "?status=abc"} {
		status, v = call(t, "GET", at+query, "")
		require.Equal(t, 400, status, query)
		require.NotEmpty(t, v["error"])
	}
	status, v = call(t, "POST", at+"/count", `{"match":{"tier":"platform"}}`)
	require.Equal(t, 200, status)
	require.Equal(t, 2.0, v["count"])
	status, v = call(t, "GET", at+".har?status=200", "")
	require.Equal(t, 200, status)
	log := v["log"].(map[string]any)
	require.Len(t, log["entries"], 1)
	require.Equal(t, "1.2.3", log["creator"].(map[string]any)["version"])
	for path, body := range map[string]string{
		"/count": `{"match":{"op":"x"}}`, "/find": `{"limit":-1}`, "/wait": `{"timeout_ms":-1}`, "/wait?": `{"count":0}`, "/wait?a": `{"timeout_ms":9999999}`, "/find?": `{"mtch":{}}`,
		"/count?": `{"match":{"status":7}}`,
	} {
		status, v = call(t, "POST", at+path, body)
		require.Equal(t, 400, status, "%s %s: %v", path, body, v)
	}
	status, _ = call(t, "GET", at+".har?limit=1", "")
	require.Equal(t, 400, status)
	status, v = call(t, "POST", at+"/wait", `{"match":{"op":"getUsage"},"count":2,"timeout_ms":1}`)
	require.Equal(t, 408, status)
	require.Equal(t, "Received 0 of 2 requests within 1 ms.", v["error"])
	waited := make(chan any, 1)
	go func() {
		_, v := call(t, "POST", at+"/wait", `{"match":{"op":"getUsage"},"timeout_ms":60000}`)
		waited <- v["count"]
	}()
	call(t, "GET", s.URL()+"/v1/usage", "")
	require.Equal(t, 1.0, <-waited)
	status, _ = call(t, "DELETE", at, "")
	require.Equal(t, 204, status)
	_, v = call(t, "GET", at, "")
	require.Equal(t, map[string]any{"requests": []any{}, "count": 0.0, "last": 3.0}, v)
}

// A request that a fault delays blocks neither a reset nor Close: it is answered immediately.
func TestLatencyDoesNotDelayClose(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	s, err := emulator.New(t.Context(), emulator.Options{})
	require.NoError(t, err)
	start := time.Now()
	for _, end := range []func() error{func() error { return s.Reset(t.Context(), "") }, s.Close} {
		fault(t, s, `{"match":{"op":"listSpaces"},"do":{"latency_ms":600000}}`)
		w, err := s.World("")
		require.NoError(t, err)
		answered := make(chan error, 1)
		go func() { answered <- fail(t, "GET", s.URL()+"/v1/spaces", "") }()
		for {
			if remaining, _ := w.Traffic().Faults(); len(remaining) == 0 {
				break // it waits
			}
			runtime.Gosched()
		}
		require.NoError(t, end())
		require.NoError(t, <-answered)
	}
	require.Less(t, time.Since(start), time.Minute)
}

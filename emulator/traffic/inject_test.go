package traffic_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
)

// Faults fire in the order they were added, each exactly as often as requested.
func TestFaultsInOrder(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	op := traffic.FaultMatch{Op: "listSpaces"}
	s.add(traffic.Fault{Match: op, Do: traffic.Do{Status: 503}, Times: 2})
	s.add(traffic.Fault{Match: op, Do: traffic.Do{ResetAfterBytes: traffic.Bytes(0)}})
	require.Equal(t, 200, s.do("GET", "/v1/usage", "").status)
	for range 2 {
		g := s.do("GET", "/v1/spaces", "")
		require.Equal(t, 503, g.status)
		require.JSONEq(t, `{"error":"503 Service Unavailable, injected by fault-1."}`, g.body)
		require.Equal(t, "fault-1", g.header.Get("X-Soundstage-Fault"))
		require.Contains(t, g.header.Get("X-Soundstage-Reason"), "fault-1")
	}
	require.ErrorIs(t, s.do("GET", "/v1/spaces", "").err, syscall.ECONNRESET)
	require.Equal(t, 200, s.do("GET", "/v1/spaces", "").status)
	require.Len(t, s.requests(), 2, "a request that a fault answered never reaches the API")
	_, err := s.traffic.VerifyFaults()
	require.NoError(t, err)
}

// A fault with nth hits the nth matching request; requests that another fault hit count too.
func TestFaultNth(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Path: "/v1/recordings/{id}", Resource: "b", Nth: 2}, Do: traffic.Do{Status: 500}, Times: 2})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Method: "get", Path: "/v1/recordings/:id", Nth: 3}, Do: traffic.Do{Status: 502}})
	var statuses []int
	for _, id := range []string{"a", "b", "b", "b", "b", "a"} {
		statuses = append(statuses, s.do("GET", "/v1/recordings/"+id, "").status)
	}
	require.Equal(t, []int{200, 200, 500, 500, 502, 200}, statuses)
}

// An injected response has the configured headers and body, or the defaults from the specification.
func TestInjectedAnswers(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		method, path string
		do           traffic.Do
		want         string
		headers      map[string]string
	}{
		"throttled":           {"GET", "/v1/spaces", traffic.Do{Status: 429}, `{"error":"429 Too Many Requests, injected by fault-1."}`, map[string]string{"Retry-After": "1", "Content-Type": "application/json"}},
		"throttled for 7 s":   {"GET", "/v1/spaces", traffic.Do{Status: 429, Headers: map[string]string{"retry-after": "7"}}, "", map[string]string{"Retry-After": "7"}},
		"an object":           {"GET", "/v1/spaces", traffic.Do{Status: 500, Body: json.RawMessage(`{"error":"x"}`)}, `{"error":"x"}`, map[string]string{"Content-Length": "13"}},
		"not JSON":            {"GET", "/v1/spaces", traffic.Do{Status: 200, Body: json.RawMessage(`"<html>"`), Headers: map[string]string{"Content-Type": "text/html"}}, "<html>", map[string]string{"Content-Type": "text/html"}},
		"validation":          {"POST", "/v1/transcripts", traffic.Do{Status: 400}, `{"errors":{"url":["is invalid"]},"valid":false}`, nil},
		"storage":             {"PUT", "/storage/obj_1", traffic.Do{Status: 503}, "<?xml version='1.0' encoding='UTF-8'?><Error><Code>ServiceUnavailable</Code><Message>503 Service Unavailable, injected by fault-1.</Message></Error>", map[string]string{"Content-Type": "application/xml; charset=UTF-8"}},
		"a success":           {"DELETE", "/v1/webhooks/x", traffic.Do{Status: 204}, "", nil},
		"not authenticated":   {"GET", "/v1/spaces", traffic.Do{Status: 401}, "", map[string]string{"WWW-Authenticate": "Bearer"}},
		"an unknown status":   {"GET", "/v1/spaces", traffic.Do{Status: 599}, "", nil},
		"a redirect":          {"GET", "/v1/spaces", traffic.Do{Status: 302, Headers: map[string]string{"Location": "/x"}}, "", map[string]string{"Location": "/x"}},
		"after a long upload": {"POST", "/v1/uploads", traffic.Do{Status: 500}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, traffic.Config{})
			s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "*"}, Do: k.do})
			body := ""
			if k.method == http.MethodPost {
				body = strings.Repeat("x", 3<<20)
			}
			g := s.do(k.method, k.path, body)
			require.NoError(t, g.err)
			require.Equal(t, k.do.Status, g.status)
			if k.want != "" {
				require.Equal(t, k.want, strings.TrimSpace(g.body))
			}
			for name, value := range k.headers {
				require.Equal(t, value, g.header.Get(name), name)
			}
			require.Empty(t, s.requests())
			require.Equal(t, k.do.Status, s.find(traffic.Match{Fault: "fault-1"})[0].Status)
		})
	}
}

// An informational status is sent before the API's response.
func TestInformationalStatus(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{Status: 103, Headers: map[string]string{"Link": "</x>"}}})
	g := s.do("GET", "/v1/spaces", "")
	require.Equal(t, 200, g.status)
	require.Equal(t, responseText, g.body)
	require.Equal(t, "</x>", g.header.Get("Link"))
}

// The connection is reset after the given number of bytes of the request; the API never sees the request's end.
func TestResetOfARequest(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		body  string
		after int64
		want  []received
	}{
		"in the middle":    {strings.Repeat("x", 3000), 1000, []received{{"PUT", "/storage/o", strings.Repeat("x", 1000), io.ErrUnexpectedEOF}}},
		"at its very end":  {"12345", 5, []received{{"PUT", "/storage/o", "12345", io.ErrUnexpectedEOF}}},
		"after its end":    {"12345", 50, []received{{"PUT", "/storage/o", "12345", io.ErrUnexpectedEOF}}},
		"before its start": {"12345", 0, nil},
		"without a body":   {"", 3, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, traffic.Config{})
			s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "putObject"}, Do: traffic.Do{ResetAfterBytes: &k.after}})
			require.ErrorIs(t, s.do("PUT", "/storage/o", k.body).err, syscall.ECONNRESET)
			require.Equal(t, k.want, s.requests())
			e := s.find(traffic.Match{})
			require.Len(t, e, 1)
			require.True(t, e[0].Aborted)
			require.Equal(t, 0, e[0].Status)
			require.Equal(t, int64(min(len(k.body), int(k.after))), e[0].RequestBody.Bytes)
		})
	}
}

// The request is executed, but its response never arrives.
func TestCommitThenDrop(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "createUpload"}, Do: traffic.Do{CommitThenDrop: true}})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "getUsage"}, Do: traffic.Do{CommitThenDrop: true}})
	require.ErrorIs(t, s.do("POST", "/v1/uploads", "{}").err, io.EOF)
	require.Equal(t, []received{{"POST", "/v1/uploads", "{}", nil}}, s.requests())
	require.ErrorIs(t, s.do("GET", "/v1/usage", "").err, io.EOF, "flushed bytes are not sent either")
	e := s.find(traffic.Match{Op: "createUpload"})[0]
	require.Equal(t, 201, e.Status, "the log has the API's response")
	require.Equal(t, responseText, string(e.ResponseBody.Data))
	require.True(t, e.Aborted)
	require.Equal(t, 201, s.do("POST", "/v1/uploads", "{}").status)
}

// A response is truncated where requested, and always before its end.
func TestTruncate(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		method, path string
		after        int64
		want         string
		err          error
	}{
		"declared length":               {"GET", "/v1/spaces", 10, responseText[:10], io.ErrUnexpectedEOF},
		"zero bytes":                    {"GET", "/v1/spaces", 0, "", io.ErrUnexpectedEOF},
		"more than the length":          {"GET", "/v1/spaces", 1000, responseText[:25], io.ErrUnexpectedEOF},
		"chunked":                       {"GET", "/v1/usage", 10, responseText[:10], io.ErrUnexpectedEOF},
		"chunked, more than the length": {"GET", "/v1/usage", 1000, responseText, io.ErrUnexpectedEOF},
		"no body":                       {"DELETE", "/v1/webhooks/x", 0, "", io.EOF},
		"no body, HEAD":                 {"HEAD", "/v1/spaces", 0, "", io.EOF},
		"no body, flushed":              {"HEAD", "/v1/usage", 0, "", io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, traffic.Config{})
			s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "*"}, Do: traffic.Do{Truncate: &k.after}})
			g := s.do(k.method, k.path, "")
			require.ErrorIs(t, g.err, k.err)
			require.Equal(t, k.want, g.body)
			require.Len(t, s.requests(), 1)
			require.True(t, s.find(traffic.Match{})[0].Aborted)
			require.NoError(t, s.do(k.method, k.path, "").err)
		})
	}
}

// curl reports each fault with the expected exit code: empty reply, partial file, or reset.
func TestFaultsByCurl(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("curl is missing: run `make setup`")
		}
		t.Skip("curl is missing")
	}
	s := newTestServer(t, traffic.Config{})
	for exit, do := range map[int]traffic.Do{
		52: {CommitThenDrop: true},
		18: {Truncate: traffic.Bytes(3)},
		56: {ResetAfterBytes: traffic.Bytes(1)},
		22: {Status: 503},
		0:  {LatencyMS: 1},
	} {
		s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "createUpload"}, Do: do})
		cmd := exec.CommandContext(t.Context(), "curl", "-sS", "--fail", "-d", "{}", s.url+"/v1/uploads")
		out, err := cmd.CombinedOutput()
		require.Equal(t, exit, cmd.ProcessState.ExitCode(), "%v: %s", err, out)
	}
}

// A latency lasts as long as requested, or until the world is closed.
func TestLatency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tr := traffic.New(traffic.Config{})
		handler := tr.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
		serve := func() time.Duration {
			_, err := tr.AddFault(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{LatencyMS: 60_000}})
			require.NoError(t, err)
			start := time.Now()
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest("GET", "/v1/spaces", nil))
			require.Equal(t, "ok", w.Body.String())
			return time.Since(start)
		}
		require.Equal(t, time.Minute, serve())
		time.AfterFunc(time.Second, tr.Close)
		require.Equal(t, time.Second, serve())
	})
}

// A client that disconnects during a latency is not served.
func TestLatencyOfAClientThatHasGone(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{LatencyMS: 600_000}})
	handler := s.traffic.Wrap(http.HandlerFunc(s.serve))
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.AfterFunc(20*time.Millisecond, cancel) // not before the request has arrived
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/v1/spaces", nil)
	require.NoError(t, err)
	_, err = server.Client().Do(req) //nolint:bodyclose // there is no response
	require.ErrorIs(t, err, context.Canceled)
	found, err := s.traffic.Wait(t.Context(), traffic.Match{Op: "listSpaces"}, 1)
	require.NoError(t, err)
	require.True(t, found[0].Aborted)
	require.Empty(t, s.requests())
}

// Without a connection to close, the exchange is aborted with http.ErrAbortHandler.
func TestFaultsInMemory(t *testing.T) {
	t.Parallel()
	for _, do := range []traffic.Do{{CommitThenDrop: true}, {ResetAfterBytes: traffic.Bytes(1)}, {Truncate: traffic.Bytes(1)}} {
		s := newTestServer(t, traffic.Config{})
		s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "createUpload"}, Do: do})
		handler := s.traffic.Wrap(http.HandlerFunc(s.serve))
		require.PanicsWithValue(t, http.ErrAbortHandler, func() {
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/v1/uploads", strings.NewReader("{}")))
		})
		require.Len(t, s.find(traffic.Match{Fault: "fault-1"}), 1)
	}
}

package traffic_test

import (
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

// Faults happen in the order in which they were added, each exactly as often as it was to, and then no more.
func TestFaultsInOrder(t *testing.T) {
	t.Parallel()
	s := newStage(t, traffic.Config{})
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
	require.Len(t, s.requests(), 2, "what a fault answered never came to the API")
	_, err := s.traffic.VerifyFaults()
	require.NoError(t, err)
}

// The nth matching request is hit; requests that another fault has hit count too.
func TestFaultNth(t *testing.T) {
	t.Parallel()
	s := newStage(t, traffic.Config{})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Path: "/v1/recordings/{id}", Resource: "b", Nth: 2}, Do: traffic.Do{Status: 500}, Times: 2})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Method: "get", Path: "/v1/recordings/:id", Nth: 3}, Do: traffic.Do{Status: 502}})
	var statuses []int
	for _, id := range []string{"a", "b", "b", "b", "b", "a"} {
		statuses = append(statuses, s.do("GET", "/v1/recordings/"+id, "").status)
	}
	require.Equal(t, []int{200, 200, 500, 500, 502, 200}, statuses)
}

// An answer has the headers and the body that were asked for, and else those of the specification.
func TestInjectedAnswers(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		method, path string
		do           traffic.Do
		want         string
		headers      map[string]string
	}{
		"throttled":           {"GET", "/v1/spaces", traffic.Do{Status: 429}, `{"error":"429 Too Many Requests, injected by fault-1."}`, map[string]string{"Retry-After": "1", "Content-Type": "application/json"}},
		"throttled for long":  {"GET", "/v1/spaces", traffic.Do{Status: 429, Headers: map[string]string{"retry-after": "7"}}, "", map[string]string{"Retry-After": "7"}},
		"an object":           {"GET", "/v1/spaces", traffic.Do{Status: 500, Body: json.RawMessage(`{"error":"x"}`)}, `{"error":"x"}`, map[string]string{"Content-Length": "13"}},
		"no JSON at all":      {"GET", "/v1/spaces", traffic.Do{Status: 200, Body: json.RawMessage(`"<html>"`), Headers: map[string]string{"Content-Type": "text/html"}}, "<html>", map[string]string{"Content-Type": "text/html"}},
		"validation":          {"POST", "/v1/transcripts", traffic.Do{Status: 400}, `{"errors":{"url":["is invalid"]},"valid":false}`, nil},
		"of the storage":      {"PUT", "/storage/obj_1", traffic.Do{Status: 503}, "<?xml version='1.0' encoding='UTF-8'?><Error><Code>ServiceUnavailable</Code><Message>503 Service Unavailable, injected by fault-1.</Message></Error>", map[string]string{"Content-Type": "application/xml; charset=UTF-8"}},
		"a success":           {"DELETE", "/v1/webhooks/x", traffic.Do{Status: 204}, "", nil},
		"not authenticated":   {"GET", "/v1/spaces", traffic.Do{Status: 401}, "", map[string]string{"WWW-Authenticate": "Bearer"}},
		"an unheard-of one":   {"GET", "/v1/spaces", traffic.Do{Status: 599}, "", nil},
		"a redirect":          {"GET", "/v1/spaces", traffic.Do{Status: 302, Headers: map[string]string{"Location": "/x"}}, "", map[string]string{"Location": "/x"}},
		"after a long upload": {"POST", "/v1/uploads", traffic.Do{Status: 500}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, traffic.Config{})
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

// An informational status comes before the answer.
func TestInformationalStatus(t *testing.T) {
	t.Parallel()
	s := newStage(t, traffic.Config{})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{Status: 103, Headers: map[string]string{"Link": "</x>"}}})
	g := s.do("GET", "/v1/spaces", "")
	require.Equal(t, 200, g.status)
	require.Equal(t, answerText, g.body)
	require.Equal(t, "</x>", g.header.Get("Link"))
}

// A connection is reset when so many bytes of the request have been read; the API never sees the end of it.
func TestResetOfARequest(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		body  string
		after int64
		want  []heard
	}{
		"in the middle":   {strings.Repeat("x", 3000), 1000, []heard{{"PUT", "/storage/o", strings.Repeat("x", 1000), io.ErrUnexpectedEOF}}},
		"at its very end": {"12345", 5, []heard{{"PUT", "/storage/o", "12345", io.ErrUnexpectedEOF}}},
		"behind it":       {"12345", 50, []heard{{"PUT", "/storage/o", "12345", io.ErrUnexpectedEOF}}},
		"before it":       {"12345", 0, nil},
		"without a body":  {"", 3, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, traffic.Config{})
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

// What was asked for is done, but its answer never arrives.
func TestCommitThenDrop(t *testing.T) {
	t.Parallel()
	s := newStage(t, traffic.Config{})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "createUpload"}, Do: traffic.Do{CommitThenDrop: true}})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "getUsage"}, Do: traffic.Do{CommitThenDrop: true}})
	require.ErrorIs(t, s.do("POST", "/v1/uploads", "{}").err, io.EOF)
	require.Equal(t, []heard{{"POST", "/v1/uploads", "{}", nil}}, s.requests())
	require.ErrorIs(t, s.do("GET", "/v1/usage", "").err, io.EOF, "what is flushed is not sent either")
	e := s.find(traffic.Match{Op: "createUpload"})[0]
	require.Equal(t, 201, e.Status, "the log has what the API answered")
	require.Equal(t, answerText, string(e.ResponseBody.Data))
	require.True(t, e.Aborted)
	require.Equal(t, 201, s.do("POST", "/v1/uploads", "{}").status)
}

// An answer is cut off where it was asked for, and always before its end.
func TestTruncate(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		method, path string
		after        int64
		want         string
		err          error
	}{
		"declared length":      {"GET", "/v1/spaces", 10, answerText[:10], io.ErrUnexpectedEOF},
		"nothing of it":        {"GET", "/v1/spaces", 0, "", io.ErrUnexpectedEOF},
		"more than there is":   {"GET", "/v1/spaces", 1000, answerText[:25], io.ErrUnexpectedEOF},
		"chunked":              {"GET", "/v1/usage", 10, answerText[:10], io.ErrUnexpectedEOF},
		"chunked, all of it":   {"GET", "/v1/usage", 1000, answerText, io.ErrUnexpectedEOF},
		"nothing to cut":       {"DELETE", "/v1/webhooks/x", 0, "", io.EOF},
		"nothing to cut, HEAD": {"HEAD", "/v1/spaces", 0, "", io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, traffic.Config{})
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

// curl sees the same: an empty reply, a partial file, a reset.
func TestFaultsByCurl(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("curl is missing: run `make setup`")
		}
		t.Skip("curl is missing")
	}
	s := newStage(t, traffic.Config{})
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

// A latency takes its time, and no longer than the world is open.
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

// A client that gives up during a latency is not served.
func TestLatencyOfAClientThatHasGone(t *testing.T) {
	t.Parallel()
	s := newStage(t, traffic.Config{})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{LatencyMS: 600_000}})
	client := http.Client{Timeout: 20 * time.Millisecond}
	_, err := client.Get(s.url + "/v1/spaces")
	require.True(t, os.IsTimeout(err), "%v", err)
	found, err := s.traffic.Wait(t.Context(), traffic.Match{Op: "listSpaces"}, 1)
	require.NoError(t, err)
	require.True(t, found[0].Aborted)
	require.Empty(t, s.requests())
}

// Where there is no connection to close, the exchange is aborted as net/http does it.
func TestFaultsInMemory(t *testing.T) {
	t.Parallel()
	for _, do := range []traffic.Do{{CommitThenDrop: true}, {ResetAfterBytes: traffic.Bytes(1)}, {Truncate: traffic.Bytes(1)}} {
		s := newStage(t, traffic.Config{})
		s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "createUpload"}, Do: do})
		handler := s.traffic.Wrap(http.HandlerFunc(s.serve))
		require.PanicsWithValue(t, http.ErrAbortHandler, func() {
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/v1/uploads", strings.NewReader("{}")))
		})
		require.Len(t, s.find(traffic.Match{Fault: "fault-1"}), 1)
	}
}

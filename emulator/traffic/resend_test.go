package traffic_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
)

// A request that is sent again reaches the API with the same method, path, query, headers, secret, and body. The log shows none of its secrets.
func TestResend(t *testing.T) {
	t.Parallel()
	type seen struct{ line, host, secret, tag, body string }
	var got []seen
	log := traffic.New(traffic.Config{})
	front := httptest.NewServer(log.Wrap(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		require.NoError(t, err)
		got = append(got, seen{req.Method + " " + req.RequestURI, req.Host, req.Header.Get("Authorization"), req.Header.Get("X-Tag"), string(body)})
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, "done")
	})))
	defer front.Close()
	for _, chunked := range []bool{false, true} {
		var body io.Reader = strings.NewReader("secret=whsec_k1&a\x00\xff")
		if chunked {
			body = io.MultiReader(body) // of unknown length
		}
		req, err := http.NewRequestWithContext(t.Context(), "POST", front.URL+"/v1/a%2Fb/%C3%A4?sig=s3cret&q=1%202", body)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
		req.Header.Set("X-Tag", "7")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		first := log.Last()
		again, err := log.Resend(t.Context(), first)
		require.NoError(t, err)
		require.Equal(t, first+1, again.Number)
		require.Equal(t, first, again.ResendOf)
		require.Equal(t, 201, again.Status)
		require.Equal(t, "done", string(again.ResponseBody.Data))
		third, err := log.Resend(t.Context(), again.Number) // a repetition can be repeated
		require.NoError(t, err)
		require.Equal(t, again.Number, third.ResendOf)
		shown, err := json.Marshal([]*traffic.Entry{again, third})
		require.NoError(t, err)
		for _, secret := range []string{"sk_sandbox_platform", "s3cret", "whsec_k1"} {
			require.NotContains(t, string(shown), secret)
		}
	}
	require.Len(t, got, 6)
	for _, one := range got {
		require.Equal(t, got[0], one)
	}
	require.Equal(t, "POST /v1/a%2Fb/%C3%A4?sig=s3cret&q=1%202", got[0].line)
	require.Equal(t, "secret=whsec_k1&a\x00\xff", got[0].body)
}

// A request whose body the log doesn't have whole isn't sent again.
func TestResendOnlyWholeBodies(t *testing.T) {
	t.Parallel()
	log := traffic.New(traffic.Config{MaxBody: 10})
	calls := 0
	front := httptest.NewServer(log.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		calls++
		if req.URL.Path == "/all" {
			_, _ = io.ReadAll(req.Body)
			return
		}
		_, _ = io.ReadFull(req.Body, make([]byte, 4))
	})))
	defer front.Close()
	for _, c := range []struct{ path, body, want string }{
		{"/all", "12345678901", "The log has only the first 10 of 11 bytes of the body of request 1."},
		{"/part", "123456", "The API read only 4 bytes of the body of request 2, and the log has no more."},
		{"/all", "1234567890", ""},
	} {
		resp, err := http.Post(front.URL+c.path, "text/plain", strings.NewReader(c.body))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		before := calls
		_, err = log.Resend(t.Context(), log.Last())
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, engine.CodeConflict, engine.CodeOf(err))
		require.ErrorContains(t, err, c.want)
		require.Equal(t, before, calls)
	}
	_, err := log.Resend(t.Context(), 99)
	require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
	log.Clear()
	_, err = log.Get(1)
	require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
}

// Faults hit requests that are sent again, also those that close a connection, which there is none.
func TestResendMeetsFaults(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{})
	require.Equal(t, 200, s.do("GET", "/v1/spaces", "").status)
	for name, do := range map[string]traffic.Do{
		"status": {Status: 503}, "drop": {CommitThenDrop: true}, "truncate": {Truncate: traffic.Bytes(3)}, "reset": {ResetAfterBytes: traffic.Bytes(0)},
	} {
		f := s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: do})
		e, err := s.traffic.Resend(t.Context(), 1)
		require.NoError(t, err, name)
		require.Equal(t, f.ID, e.Fault, name)
		require.Equal(t, name != "status", e.Aborted, name)
	}
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{LatencyMS: 600_000}})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	e, err := s.traffic.Resend(ctx, 1) // the client has gone
	require.NoError(t, err)
	require.True(t, e.Aborted)
}

// Ended is called for each exchange in the order of the log, and FaultChanged for each change of a fault.
func TestChangesAreReported(t *testing.T) {
	t.Parallel()
	var numbers []int64
	var changes []string
	s := newTestServer(t, traffic.Config{
		Ended:        func(e *traffic.Entry) { numbers = append(numbers, e.Number) },
		FaultChanged: func(c traffic.FaultChange, f traffic.FaultState) { changes = append(changes, string(c)+" "+f.ID) },
	})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "listSpaces"}, Do: traffic.Do{Status: 503}, Times: 2})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "createUpload"}, Do: traffic.Do{Status: 503}})
	for range 3 {
		s.do("GET", "/v1/spaces", "")
	}
	require.NoError(t, s.traffic.RemoveFault("fault-1"))
	s.traffic.RemoveFaults()
	require.Equal(t, []int64{1, 2, 3}, numbers)
	require.Equal(t, []string{
		"added fault-1", "added fault-2", "fired fault-1", "fired fault-1", "spent fault-1", "removed fault-1", "removed fault-2",
	}, changes)
}

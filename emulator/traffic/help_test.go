package traffic_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
)

// testServer serves a handler, wrapped by a Traffic, on a real socket.
type testServer struct {
	t       *testing.T
	traffic *traffic.Traffic
	url     string

	mu  sync.Mutex
	log []received
}

// received is a request as the handler received it.
type received struct {
	method, path, body string
	err                error // from reading the body
}

func newTestServer(t *testing.T, c traffic.Config) *testServer {
	t.Helper()
	s := &testServer{t: t, traffic: traffic.New(c)}
	front := httptest.NewServer(s.traffic.Wrap(http.HandlerFunc(s.serve)))
	t.Cleanup(func() {
		s.traffic.Close()
		front.Close()
	})
	s.url = front.URL
	return s
}

// serve responds with answerText: 201 to a POST, 204 to a DELETE, chunked for /v1/usage, and 400 when the body broke off.
func (s *testServer) serve(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	s.mu.Lock()
	s.log = append(s.log, received{req.Method, req.URL.Path, string(body), err})
	s.mu.Unlock()
	switch {
	case err != nil:
		http.Error(w, "broken off", http.StatusBadRequest)
	case req.Method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	case req.URL.Path == "/v1/usage":
		_ = http.NewResponseController(w).Flush()
		_, _ = io.WriteString(w, responseText)
	default:
		w.Header().Set("Content-Length", "26")
		if req.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
		}
		_, _ = io.WriteString(w, responseText)
	}
}

const responseText = "abcdefghijklmnopqrstuvwxyz"

// requests returns what the handler has received.
func (s *testServer) requests() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.log...)
}

func (s *testServer) add(f traffic.Fault) traffic.FaultState {
	s.t.Helper()
	state, err := s.traffic.AddFault(f)
	require.NoError(s.t, err)
	return state
}

// response is what an unmodified client sees.
type response struct {
	status int
	header http.Header
	body   string
	err    error // from the request, or from reading the response
}

// do sends a request on a new connection, because Go's client retries some requests on a reused one.
func (s *testServer) do(method, path, body string) response {
	s.t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, reader)
	require.NoError(s.t, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return response{err: err}
	}
	raw, readErr := io.ReadAll(resp.Body)
	return response{resp.StatusCode, resp.Header, string(raw), errors.Join(readErr, resp.Body.Close())}
}

// find returns the matching exchanges in the log.
func (s *testServer) find(m traffic.Match) []*traffic.Entry {
	s.t.Helper()
	found, err := s.traffic.Find(m)
	require.NoError(s.t, err)
	return found
}

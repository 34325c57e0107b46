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

// stage is a handler behind a Traffic on a real socket.
type stage struct {
	t       *testing.T
	traffic *traffic.Traffic
	url     string

	mu    sync.Mutex
	heard []heard
}

// heard is what the handler got of a request.
type heard struct {
	method, path, body string
	err                error // of reading the body
}

func newStage(t *testing.T, c traffic.Config) *stage {
	t.Helper()
	s := &stage{t: t, traffic: traffic.New(c)}
	front := httptest.NewServer(s.traffic.Wrap(http.HandlerFunc(s.serve)))
	t.Cleanup(func() {
		s.traffic.Close()
		front.Close()
	})
	s.url = front.URL
	return s
}

// serve answers with what it heard: 400 when the body broke off, 201 to a POST, chunked to /v1/usage, and with nothing to DELETE.
func (s *stage) serve(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	s.mu.Lock()
	s.heard = append(s.heard, heard{req.Method, req.URL.Path, string(body), err})
	s.mu.Unlock()
	switch {
	case err != nil:
		http.Error(w, "broken off", http.StatusBadRequest)
	case req.Method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	case req.URL.Path == "/v1/usage":
		_ = http.NewResponseController(w).Flush()
		_, _ = io.WriteString(w, answerText)
	default:
		w.Header().Set("Content-Length", "26")
		if req.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
		}
		_, _ = io.WriteString(w, answerText)
	}
}

const answerText = "abcdefghijklmnopqrstuvwxyz"

// requests is what the handler has heard.
func (s *stage) requests() []heard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]heard(nil), s.heard...)
}

func (s *stage) add(f traffic.Fault) traffic.FaultState {
	s.t.Helper()
	state, err := s.traffic.AddFault(f)
	require.NoError(s.t, err)
	return state
}

// got is what an unmodified client sees.
type got struct {
	status int
	header http.Header
	body   string
	err    error // of the request, or of reading the answer
}

// do sends a request on a connection of its own: on one that was used before, Go's client would try some again by itself.
func (s *stage) do(method, path, body string) got {
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
		return got{err: err}
	}
	raw, readErr := io.ReadAll(resp.Body)
	return got{resp.StatusCode, resp.Header, string(raw), errors.Join(readErr, resp.Body.Close())}
}

// find returns the remembered exchanges that fit.
func (s *stage) find(m traffic.Match) []*traffic.Entry {
	s.t.Helper()
	found, err := s.traffic.Find(m)
	require.NoError(s.t, err)
	return found
}

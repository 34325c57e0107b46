package enginetest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// receivedRequest is one request that a receiver received.
type receivedRequest struct {
	method, path, body string
	header             http.Header
}

// receiver is a local server that records requests.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	got []receivedRequest
}

// longTimeout is a timeout that no local response exceeds.
const longTimeout = time.Minute

func newReceiver(t *testing.T, answer http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		r.got = append(r.got, receivedRequest{req.Method, req.URL.RequestURI(), string(body), req.Header.Clone()})
		r.mu.Unlock()
		answer(w, req)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) deliveries() []receivedRequest {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.got
}

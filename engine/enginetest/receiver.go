package enginetest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// delivered is one request that a receiver got.
type delivered struct {
	method, path, body string
	header             http.Header
}

// receiver is a server on this machine that takes down what it gets.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	got []delivered
}

// patience is more than an answer from this machine takes.
const patience = time.Minute

func newReceiver(t *testing.T, answer http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		r.got = append(r.got, delivered{req.Method, req.URL.RequestURI(), string(body), req.Header.Clone()})
		r.mu.Unlock()
		answer(w, req)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) deliveries() []delivered {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.got
}

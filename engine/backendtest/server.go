// Package backendtest has servers that speak the protocols of speech and language services, as their public documentation tells them, to
// test adapters and what is built on them against: each on a real socket, with faults to order, without a network or a key.
package backendtest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Server is a server of one protocol. Each dialect of this package embeds one.
type Server struct {
	URL string

	mu       sync.Mutex
	faults   []Fault
	requests []Request
}

// Request is one that a Server got.
type Request struct {
	Method, Path, Query string
	Header              http.Header
	Body                []byte
}

// Fault answers a request in place of the server.
type Fault func(w http.ResponseWriter, r *http.Request)

// Start serves a handler until the test is over.
func (s *Server) Start(t testing.TB, h http.Handler) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.mu.Lock()
		s.requests = append(s.requests, Request{r.Method, r.URL.Path, r.URL.RawQuery, r.Header.Clone(), body})
		var fault Fault
		if len(s.faults) > 0 {
			fault, s.faults = s.faults[0], s.faults[1:]
		}
		s.mu.Unlock()
		if fault != nil {
			fault(w, r)
			return
		}
		h.ServeHTTP(w, r)
	}))
	s.URL = server.URL
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
}

// Break makes the next requests meet these faults, one each; nil is none.
func (s *Server) Break(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Requests returns what the server got, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Status answers with a status and a body of JSON; after is its Retry-After, "" for none.
func Status(code int, after, body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// Answer answers 200 with a body of any type.
func Answer(contentType, body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
}

// CutOff ends the connection in the middle of an answer.
func CutOff(body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "100000")
		_, _ = io.WriteString(w, body)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		panic(http.ErrAbortHandler)
	}
}

// Silent doesn't answer for a time, or until the client is gone.
func Silent(d time.Duration) Fault {
	return func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(d):
		}
	}
}

// Garbage answers with n bytes that are no JSON, and says that they are.
func Garbage(n int) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		block := bytes.Repeat([]byte("\xffgarbage"), 8192)
		for left := n; left > 0; {
			sent, err := w.Write(block[:min(left, len(block))])
			if err != nil {
				return
			}
			left -= sent
		}
	}
}

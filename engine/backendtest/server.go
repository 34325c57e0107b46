// Package backendtest provides fake servers of speech and language services for tests. Each follows the service's public
// documentation, listens on a loopback port, needs no key, and can inject faults:
//
//	server := backendtest.NewDeepgram(t)
//	server.Break(backendtest.Status(503, "1", `{}`)) // the first request fails
//	// point the adapter at server.URL
//	require.Len(t, server.Requests(), 2)
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

// Server records requests and injects faults. Every fake server of this package embeds one.
type Server struct {
	URL string

	mu       sync.Mutex
	faults   []Fault
	requests []Request
}

// Request is a request that a Server received.
type Request struct {
	Method, Path, Query string
	Header              http.Header
	Body                []byte
}

// Fault handles a request in place of the server.
type Fault func(w http.ResponseWriter, r *http.Request)

// Start serves a handler until the test ends.
func (s *Server) Start(t testing.TB, h http.Handler) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client disconnected
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

// Break injects one fault into each of the next requests; nil is no fault.
func (s *Server) Break(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Requests returns the requests so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Status responds with a status and a JSON body. after is the Retry-After header, or "" for none.
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

// Answer responds with status 200 and a body of any type.
func Answer(contentType, body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
}

// CutOff sends part of a response and then closes the connection.
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

// Silent sends nothing for d, or until the client disconnects.
func Silent(d time.Duration) Fault {
	return func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(d):
		}
	}
}

// Garbage responds with n bytes that are not JSON, as application/json.
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

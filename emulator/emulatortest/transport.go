package emulatortest

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// transport is a client's way to its server.
type transport struct {
	server *Server
	secret string
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.secret != "" && req.Header.Get("Authorization") == "" && strings.HasPrefix(req.URL.Path, "/v1/") {
		clone := *req // of which only the map of headers is changed
		clone.Header = maps.Clone(req.Header)
		if clone.Header == nil {
			clone.Header = http.Header{}
		}
		clone.Header.Set("Authorization", "Bearer "+t.secret)
		req = &clone
	}
	resp, err := t.server.way.RoundTrip(req)
	if err == nil {
		resp.Body = t.server.bodies.watch(resp.Body, req)
	}
	return resp, err
}

// CloseIdleConnections closes the connections of all clients of the server that wait for a request.
func (t transport) CloseIdleConnections() { t.server.way.CloseIdleConnections() }

// bodies are the bodies of answers that are still open.
type bodies struct {
	mu   sync.Mutex
	open map[*body]string // which answers they are of
}

// watch notes a body until it is closed or read to its end.
func (b *bodies) watch(r io.ReadCloser, req *http.Request) io.ReadCloser {
	if r == http.NoBody {
		return r
	}
	watched := &body{ReadCloser: r, of: b}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open = map[*body]string{}
	}
	b.open[watched] = req.Method + " " + req.URL.Path
	return watched
}

func (b *bodies) done(watched *body) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.open, watched)
}

// list tells which answers have an open body.
func (b *bodies) list() (of []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, answer := range b.open {
		of = append(of, answer)
	}
	slices.Sort(of)
	return of
}

// body is an answer's body that is watched.
type body struct {
	io.ReadCloser
	of *bodies
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.of.done(b)
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	b.of.done(b)
	return b.ReadCloser.Close()
}

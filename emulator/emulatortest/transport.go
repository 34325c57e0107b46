package emulatortest

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// transport is the http.RoundTripper of a server's clients.
type transport struct {
	server        *Server
	authorization []string // value of the Authorization header, nil for none
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.authorization != nil && req.Header.Get("Authorization") == "" && strings.HasPrefix(req.URL.Path, "/v1/") {
		clone := *req // shallow: only the header map is copied
		clone.Header = maps.Clone(req.Header)
		if clone.Header == nil {
			clone.Header = http.Header{}
		}
		clone.Header["Authorization"] = t.authorization
		req = &clone
	}
	resp, err := t.server.httpTransport.RoundTrip(req)
	if err == nil {
		resp.Body = t.server.bodies.watch(resp.Body, req)
	}
	return resp, err
}

// CloseIdleConnections closes the idle connections of all clients of the server.
func (t transport) CloseIdleConnections() { t.server.httpTransport.CloseIdleConnections() }

// bodies tracks open response bodies.
type bodies struct {
	mu   sync.Mutex
	open map[*body]bool
}

// watch tracks a body until it is closed or read to its end.
func (b *bodies) watch(r io.ReadCloser, req *http.Request) io.ReadCloser {
	if r == http.NoBody {
		return r
	}
	watched := &body{r, b, req}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open = map[*body]bool{}
	}
	b.open[watched] = true
	return watched
}

func (b *bodies) done(watched *body) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.open, watched)
}

// list returns the requests whose response bodies are open.
func (b *bodies) list() (of []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for body := range b.open {
		of = append(of, body.req.Method+" "+body.req.URL.Path)
	}
	slices.Sort(of)
	return of
}

// body is a tracked response body.
type body struct {
	io.ReadCloser
	of  *bodies
	req *http.Request
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

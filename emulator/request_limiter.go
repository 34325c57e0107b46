package emulator

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
)

const (
	defaultPerKey     = 4096 // default of Options.MaxRequestsPerKey
	defaultPerAddress = 8192 // default of Options.MaxRequestsPerAddress

	bodyGrace   = 30 * time.Second // time that a body has before bodyMinRate applies
	uploadGrace = 60 * time.Second // the same for uploads, as in package api
	bodyMinRate = 32 << 10         // minimum average rate, in bytes per second
)

// requestLimiter limits the concurrent requests of each key and each address, and the time of request bodies.
type requestLimiter struct {
	perKey, perAddress int

	mu   sync.Mutex
	keys map[string]int // requests in progress
	from map[string]int
}

// wrap returns a handler that lets requests within the limits through. The health check is always let through.
func (g *requestLimiter) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if c, ok := req.Context().Value(connKey{}).(*conn); ok {
			c.handled.Store(true)
		}
		if req.URL.Path != "/_soundstage/health" {
			key, address := api.BearerSecret(req), addressOf(req)
			if err := g.enter(key, address); err != nil {
				refuse(w, req, err)
				return
			}
			defer g.leave(key, address)
		}
		next.ServeHTTP(w, pace(w, req))
	})
}

// enter counts a request. It returns CodeRateLimited when the key or the address has too many in progress.
func (g *requestLimiter) enter(key, address string) error {
	const op = "enter"
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case key != "" && g.keys[key] >= g.perKey:
		return engine.Errorf(engine.CodeRateLimited, op, "Too many concurrent requests with this secret: the limit is %d.", g.perKey).
			WithHint("Wait for responses before you send more, or raise --max-requests-per-key.")
	case g.from[address] >= g.perAddress:
		return engine.Errorf(engine.CodeRateLimited, op, "Too many concurrent requests from this address: the limit is %d.", g.perAddress).
			WithHint("Wait for responses before you send more, or raise --max-requests-per-address.")
	}
	if g.from == nil {
		g.keys, g.from = map[string]int{}, map[string]int{}
	}
	if key != "" {
		g.keys[key]++
	}
	g.from[address]++
	return nil
}

// leave ends a request that entered.
func (g *requestLimiter) leave(key, address string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if key != "" {
		decrease(g.keys, key)
	}
	decrease(g.from, address)
}

func decrease(counts map[string]int, name string) {
	if counts[name]--; counts[name] == 0 {
		delete(counts, name)
	}
}

// addressOf returns a request's remote address without the port.
func addressOf(req *http.Request) string {
	host, _, err := net.SplitHostPort(req.RemoteAddr)
	if err != nil {
		return req.RemoteAddr
	}
	return host
}

// refuse responds with an error without waiting for the request's body, which may be stalled.
func refuse(w http.ResponseWriter, req *http.Request, err error) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(refusalTime))
	w.Header().Set("Connection", "close")
	w.Header().Set("Retry-After", "1")
	api.WriteErrorFor(w, req, err)
}

// pace returns the request with a body that must arrive in time, also if the handler doesn't read it.
func pace(w http.ResponseWriter, req *http.Request) *http.Request {
	if req.Body == nil || req.Body == http.NoBody {
		return req
	}
	b := &pacedBody{ReadCloser: req.Body, rc: http.NewResponseController(w), grace: bodyGrace, start: time.Now()}
	if strings.HasPrefix(req.URL.Path, "/storage/") {
		b.grace = uploadGrace
	}
	b.extend(b.start)
	paced := new(http.Request)
	*paced = *req
	paced.Body = b
	return paced
}

// pacedBody extends the connection's read deadline as bytes arrive, and removes it at the end of the body.
type pacedBody struct {
	io.ReadCloser
	rc    *http.ResponseController
	grace time.Duration
	start time.Time
	set   time.Time // time when the deadline was last extended
	n     int64
}

func (b *pacedBody) extend(now time.Time) {
	b.set = now
	_ = b.rc.SetReadDeadline(b.start.Add(b.grace + time.Duration(b.n/bodyMinRate)*time.Second))
}

func (b *pacedBody) Read(p []byte) (int, error) {
	if now := time.Now(); now.Sub(b.set) > time.Second {
		b.extend(now)
	}
	n, err := b.ReadCloser.Read(p)
	b.n += int64(n)
	if errors.Is(err, io.EOF) { // otherwise the deadline would end the request's context
		_ = b.rc.SetReadDeadline(time.Time{})
	}
	return n, err
}

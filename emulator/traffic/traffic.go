package traffic

import (
	"net/http"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
)

// Config sets what the log keeps. Every field has a useful zero value.
type Config struct {
	Now        func() time.Time // clock for timestamps, the world's; default time.Now
	MaxEntries int              // most exchanges to keep; default 1,000
	MaxBytes   int64            // most memory for them, in bytes; default 4 MiB
	MaxBody    int              // most bytes to keep of each body; default 4 KiB, negative for none

	// Ended is called when an exchange was added to the log, in order, and FaultChanged when a fault was added, fired, spent, or removed.
	// Both must return at once and not call the Traffic. Default: nothing.
	Ended        func(*Entry)
	FaultChanged func(FaultChange, FaultState)
}

const (
	defaultEntries = 1000
	defaultBytes   = 4 << 20
	defaultBody    = 4 << 10
)

// Traffic holds the exchange log and the faults of one world. It is safe for concurrent use.
type Traffic struct {
	now     func() time.Time
	maxBody int
	log     log
	faults  faults
	handler http.Handler  // what Wrap returned, for Resend
	done    chan struct{} // closed by Close
	close   sync.Once
}

// New returns a Traffic with an empty log and no faults.
func New(c Config) *Traffic {
	t := &Traffic{now: c.Now, maxBody: c.MaxBody, done: make(chan struct{})}
	t.log.maxEntries, t.log.maxBytes, t.log.ended = c.MaxEntries, c.MaxBytes, c.Ended
	t.faults.changed = c.FaultChanged
	if t.now == nil {
		t.now = time.Now
	}
	if t.maxBody == 0 {
		t.maxBody = defaultBody
	}
	t.maxBody = max(t.maxBody, 0)
	if t.log.maxEntries <= 0 {
		t.log.maxEntries = defaultEntries
	}
	if t.log.maxBytes <= 0 {
		t.log.maxBytes = defaultBytes
	}
	return t
}

// Close ends every injected latency and every Wait. The log can still be read.
func (t *Traffic) Close() { t.close.Do(func() { close(t.done) }) }

// Wrap returns a handler that logs the exchanges of next and injects matching faults. When the response declares its length, the exchange
// is logged before the last byte is sent; otherwise before the connection is reused. Observers pass unseen, see api.IsObserver.
func (t *Traffic) Wrap(next http.Handler) http.Handler {
	t.handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if api.IsObserver(req) {
			next.ServeHTTP(w, req)
			return
		}
		x := t.begin(w, req)
		ended := false
		defer func() {
			if !ended && !x.logged { // the handler panicked
				x.entry.Aborted = true
			}
			x.finish()
		}()
		req = x.watchBody(req)
		if f, ok := t.faults.take(x.entry.Op, req); ok {
			x.entry.Fault = f.ID
			t.inject(f, x, next, req)
		} else {
			next.ServeHTTP(x, req)
		}
		ended = true
	})
	return t.handler
}

// begin records what is known about an exchange before the response.
func (t *Traffic) begin(w http.ResponseWriter, req *http.Request) *exchange {
	e := &Entry{} // separate from the exchange, which keeps the connection alive
	x := &exchange{ResponseWriter: w, t: t, entry: e, start: time.Now(), declared: -1}
	path := req.URL.EscapedPath()
	e.Time, e.Method, e.Path, e.Proto, e.Host, e.TLS = t.now(), req.Method, path, req.Proto, req.Host, req.TLS != nil
	e.Op, e.Resource = api.OperationOf(req.Method, path)
	e.Query = redactQuery(req.URL.RawQuery)
	e.requestHeader, e.sent = req.Header, sentRequest{query: req.URL.RawQuery, length: req.ContentLength}
	if r, ok := w.(*resentWriter); ok {
		e.ResendOf, r.entry = r.number, e
	}
	return x
}

// exchange is the ResponseWriter of one exchange. It records what is read and written.
type exchange struct {
	http.ResponseWriter
	t        *Traffic
	entry    *Entry
	start    time.Time
	declared int64 // the response's Content-Length, -1 when unknown
	logged   bool
}

// Unwrap lets http.ResponseController reach the connection.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// NoteCaller records the caller's tier and key. The API calls it when it has authenticated the request.
func (x *exchange) NoteCaller(c engine.Caller) {
	x.entry.Tier, x.entry.Key = string(c.Tier), string(c.KeyID)
}

func (x *exchange) WriteHeader(status int) {
	if x.entry.Status == 0 && status >= 200 {
		x.entry.Status = status
		x.declared = contentLength(x.Header())
	}
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) Write(p []byte) (int, error) {
	if x.entry.Status == 0 {
		x.WriteHeader(http.StatusOK)
	}
	if !x.logged && x.entry.Method != http.MethodHead { // a HEAD response has no body
		x.entry.ResponseBody.add(p, x.t.maxBody)
		if x.entry.ResponseBody.Bytes == x.declared {
			x.finish()
		}
	}
	return x.ResponseWriter.Write(p)
}

// FlushError sends what has been written so far. http.ResponseController calls it.
func (x *exchange) FlushError() error {
	if x.entry.Status == 0 {
		x.WriteHeader(http.StatusOK)
	}
	return http.NewResponseController(x.ResponseWriter).Flush()
}

// finish adds the exchange to the log, once.
func (x *exchange) finish() {
	if x.logged {
		return
	}
	x.logged = true
	e := x.entry
	e.responseHeader = x.Header()
	e.Reason = e.responseHeader.Get("X-Soundstage-Reason")
	if e.Status == 0 && !e.Aborted {
		e.Status = http.StatusOK // net/http's status when a handler writes nothing
	}
	e.Duration = time.Since(x.start)
	x.t.log.add(e)
}

// watchBody returns the request with a body that records what is read from it.
func (x *exchange) watchBody(req *http.Request) *http.Request {
	if req.Body == nil || req.Body == http.NoBody {
		return req
	}
	watched := new(http.Request)
	*watched = *req
	watched.Body = &watchedBody{req.Body, x}
	return watched
}

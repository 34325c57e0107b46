package traffic

import (
	"net/http"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
)

// Config says how much is remembered; every field has a useful zero value.
type Config struct {
	Now        func() time.Time // clock that entries are stamped with, the world's; default time.Now
	MaxEntries int              // exchanges that are remembered; default 1,000
	MaxBytes   int64            // memory that they may take, in bytes; default 4 MiB
	MaxBody    int              // bytes that are kept of each body; default 4 KiB, negative is none
}

const (
	defaultEntries = 1000
	defaultBytes   = 4 << 20
	defaultBody    = 4 << 10
)

// Traffic is the log and the faults of one world. It is safe for concurrent use.
type Traffic struct {
	now     func() time.Time
	maxBody int
	log     log
	faults  faults
	done    chan struct{} // closed by Close
	close   sync.Once
}

// New returns a Traffic that has seen nothing and breaks nothing.
func New(c Config) *Traffic {
	t := &Traffic{now: c.Now, maxBody: c.MaxBody, done: make(chan struct{})}
	t.log.maxEntries, t.log.maxBytes = c.MaxEntries, c.MaxBytes
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

// Close lets requests that a fault holds up go on at once, and ends every Wait. The log can still be read.
func (t *Traffic) Close() { t.close.Do(func() { close(t.done) }) }

// Wrap returns a handler that logs the exchanges of next and injects the faults that were added for them. An exchange is in the log
// before the last byte of its answer is sent, when the answer's length was declared, and before the connection is used again in any case.
func (t *Traffic) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
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
}

// begin notes what is known of an exchange before it is answered.
func (t *Traffic) begin(w http.ResponseWriter, req *http.Request) *exchange {
	e := &Entry{} // apart from the exchange, which holds on to the connection
	x := &exchange{ResponseWriter: w, t: t, entry: e, start: time.Now(), declared: -1}
	path := req.URL.EscapedPath()
	e.Time, e.Method, e.Path, e.Proto, e.Host, e.TLS = t.now(), req.Method, path, req.Proto, req.Host, req.TLS != nil
	e.Op, e.Resource = api.OperationOf(req.Method, path)
	e.Query = redactQuery(req.URL.RawQuery)
	e.asked = req.Header
	return x
}

// exchange is the ResponseWriter of one exchange: it notes what goes through.
type exchange struct {
	http.ResponseWriter
	t        *Traffic
	entry    *Entry
	start    time.Time
	declared int64 // length of the answer's body, -1 when it isn't known
	logged   bool
}

// Unwrap lets http.ResponseController reach the connection.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// NoteCaller is called by the API when it knows whose secret a request has.
func (x *exchange) NoteCaller(c engine.Caller) { x.entry.Tier = string(c.Tier) }

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
	if !x.logged && x.entry.Method != http.MethodHead { // whose body is never sent
		x.entry.ResponseBody.add(p, x.t.maxBody)
		if x.entry.ResponseBody.Bytes == x.declared {
			x.finish()
		}
	}
	return x.ResponseWriter.Write(p)
}

// FlushError sends what was written so far; http.ResponseController calls it.
func (x *exchange) FlushError() error {
	if x.entry.Status == 0 {
		x.WriteHeader(http.StatusOK)
	}
	return http.NewResponseController(x.ResponseWriter).Flush()
}

// finish puts the exchange into the log, once.
func (x *exchange) finish() {
	if x.logged {
		return
	}
	x.logged = true
	e := x.entry
	e.answered = x.Header()
	e.Reason = e.answered.Get("X-Soundstage-Reason")
	if e.Status == 0 && !e.Aborted {
		e.Status = http.StatusOK // as net/http answers when a handler writes nothing
	}
	e.Duration = time.Since(x.start)
	x.t.log.add(e)
}

// watchBody returns the request with a body that is noted as it is read.
func (x *exchange) watchBody(req *http.Request) *http.Request {
	if req.Body == nil || req.Body == http.NoBody {
		return req
	}
	watched := new(http.Request)
	*watched = *req
	watched.Body = &watchedBody{req.Body, x}
	return watched
}

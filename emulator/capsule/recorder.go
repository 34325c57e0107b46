package capsule

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

const (
	maxBody     = 8 << 20  // bytes of a request's body
	maxBodies   = 64 << 20 // bytes of all bodies
	maxRequests = 100_000
)

// Recorder records the requests of one world. It is safe for concurrent use.
type Recorder struct {
	hashes bool

	mu      sync.Mutex
	capsule Capsule
	bytes   int64
}

// NewRecorder returns a Recorder. begin is the capsule without requests; hashes says whether those of answers' bodies are recorded, too:
// of a clock that stands still.
func NewRecorder(begin Capsule, hashes bool) *Recorder {
	begin.Format, begin.Version, begin.Requests = Format, Version, []Exchange{}
	return &Recorder{capsule: begin, hashes: hashes}
}

// Capsule returns what was recorded so far. A request that is not answered yet has status 0.
func (r *Recorder) Capsule() Capsule {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.capsule
	c.Requests = slices.Clone(c.Requests)
	return c
}

// Serve lets next answer a request, and records both. Bodies up to 8 MiB are read before next is called.
func (r *Recorder) Serve(next http.Handler, w http.ResponseWriter, req *http.Request) {
	if !wanted(req) {
		next.ServeHTTP(w, req)
		return
	}
	sent, req := readBody(req)
	number := r.begin(req, sent)
	answer := &answer{ResponseWriter: w}
	if r.hashes && strings.HasPrefix(req.URL.Path, "/v1/") {
		answer.hash = sha256.New()
	}
	defer func() { r.end(number, answer) }()
	next.ServeHTTP(answer, req)
	answer.ended = true
}

// wanted reports whether a request is recorded: all of the service, and what changes a world. Those that only look, or wait for what
// others do, change nothing.
func wanted(req *http.Request) bool {
	path, ok := strings.CutPrefix(req.URL.Path, "/_soundstage/")
	if !ok {
		return true
	}
	switch {
	case req.Method == http.MethodGet, req.Method == http.MethodHead, req.Method == http.MethodOptions:
		return false
	case strings.HasPrefix(path, "capsule"), strings.HasPrefix(path, "worlds"), strings.HasSuffix(path, "/wait"), strings.HasPrefix(path, "webhooks/listen"):
		return false
	}
	return true
}

// readBody reads the beginning of a body, and returns the request with a body that begins with it.
func readBody(req *http.Request) ([]byte, *http.Request) {
	if req.Body == nil || req.Body == http.NoBody {
		return nil, req
	}
	begin, err := io.ReadAll(io.LimitReader(req.Body, maxBody+1))
	rest := io.Reader(req.Body)
	if err != nil {
		rest = broken{err}
	}
	again := new(http.Request)
	*again = *req
	again.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(begin), rest), req.Body}
	return begin, again
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// begin notes a request and returns its number, 0 when there are too many.
func (r *Recorder) begin(req *http.Request, sent []byte) int {
	x := Exchange{Method: req.Method, Path: req.URL.RequestURI(), Host: req.Host, Header: headers(req.Header)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.capsule.Requests) >= maxRequests {
		r.capsule.Incomplete = fmt.Sprintf("Only the first %d requests were recorded.", maxRequests)
		return 0
	}
	x.Number = len(r.capsule.Requests) + 1
	if size := int64(len(sent)); size > maxBody || r.bytes+size > maxBodies {
		x.Body.Omitted = size
		if r.capsule.Incomplete == "" {
			r.capsule.Incomplete = fmt.Sprintf("The body of request %d was not recorded: it is longer than %d bytes, or all are longer than %d.",
				x.Number, maxBody, maxBodies)
		}
	} else if size > 0 {
		r.bytes += size
		x.Body = bodyOf(sent)
	}
	r.capsule.Requests = append(r.capsule.Requests, x)
	return x.Number
}

func (r *Recorder) end(number int, a *answer) {
	if number == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	x := &r.capsule.Requests[number-1]
	status := a.status
	if !a.ended {
		status = 0 // it was broken off
	} else if a.status == 0 {
		status = http.StatusOK
	}
	x.Status = status
	if a.hash != nil && x.Status != 0 {
		x.SHA256 = hex.EncodeToString(a.hash.Sum(nil))
	}
}

// unwanted are the headers that no answer depends on, or that are secret.
var unwanted = []string{"User-Agent", "Accept-Encoding", "Connection", "Cookie", "Content-Length", "Date", "X-Soundstage-Token", "Proxy-Authorization"}

func headers(h http.Header) http.Header {
	c := h.Clone()
	for _, name := range unwanted {
		c.Del(name)
	}
	if v := c.Get("Authorization"); v != "" && !strings.Contains(v, "sk_sandbox_") {
		c.Set("Authorization", "Bearer not-recorded")
	}
	return c
}

// answer notes what a handler answers.
type answer struct {
	http.ResponseWriter
	status int
	hash   hash.Hash // nil for none
	ended  bool      // whether the handler returned
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= 200 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	if a.hash != nil {
		a.hash.Write(p)
	}
	return a.ResponseWriter.Write(p)
}

// Note records what was done without a request as the request that does the same. The function that it returns notes the status that
// would have come. A nil Recorder records nothing.
func (r *Recorder) Note(method, path string, body []byte) (done func(status int)) {
	if r == nil {
		return func(int) {}
	}
	req, err := http.NewRequest(method, "http://127.0.0.1"+path, nil)
	if err != nil {
		return func(int) {}
	}
	number := r.begin(req, body)
	return func(status int) { r.end(number, &answer{status: status, ended: true}) }
}

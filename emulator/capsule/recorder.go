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
	maxBody     = 8 << 20  // bytes of one request body
	maxBodies   = 64 << 20 // bytes of all request bodies
	maxRequests = 100_000
)

// Recorder records the requests of one world. It is safe for concurrent use.
type Recorder struct {
	hashes bool

	mu      sync.Mutex
	capsule Capsule
	bytes   int64
}

// NewRecorder returns a Recorder. begin is the capsule without requests. hashes says whether to record hashes of response bodies,
// which are reproducible only with a frozen clock.
func NewRecorder(begin Capsule, hashes bool) *Recorder {
	begin.Format, begin.Version, begin.Requests = Format, Version, []Exchange{}
	return &Recorder{capsule: begin, hashes: hashes}
}

// Capsule returns the recording so far. A request without a response yet has status 0.
func (r *Recorder) Capsule() Capsule {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.capsule
	c.Requests = slices.Clone(c.Requests)
	return c
}

// Serve calls next to handle a request, and records the exchange. It reads bodies of up to 8 MiB before it calls next.
func (r *Recorder) Serve(next http.Handler, w http.ResponseWriter, req *http.Request) {
	if !isRecorded(req) {
		next.ServeHTTP(w, req)
		return
	}
	sent, req := readBody(req)
	number := r.begin(req, sent)
	answer := &responseRecorder{ResponseWriter: w}
	if r.hashes && strings.HasPrefix(req.URL.Path, "/v1/") {
		answer.hash = sha256.New()
	}
	defer func() { r.end(number, answer) }()
	next.ServeHTTP(answer, req)
	answer.ended = true
}

// isRecorded reports whether a request is recorded: every request to the service, and control requests that change a world.
// Requests that only read or wait are skipped.
func isRecorded(req *http.Request) bool {
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

// readBody reads the first maxBody+1 bytes of a body. It returns them with a request whose body can be read from the start.
func readBody(req *http.Request) ([]byte, *http.Request) {
	if req.Body == nil || req.Body == http.NoBody {
		return nil, req
	}
	begin, err := io.ReadAll(io.LimitReader(req.Body, maxBody+1))
	rest := io.Reader(req.Body)
	if err != nil {
		rest = errReader{err}
	}
	clone := new(http.Request)
	*clone = *req
	clone.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(begin), rest), req.Body}
	return begin, clone
}

type errReader struct{ err error }

func (b errReader) Read([]byte) (int, error) { return 0, b.err }

// begin records a request and returns its number, or 0 when the limit is reached.
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
			r.capsule.Incomplete = fmt.Sprintf("The body of request %d was not recorded: it exceeds %d bytes, or all bodies together exceed %d bytes.",
				x.Number, maxBody, maxBodies)
		}
	} else if size > 0 {
		r.bytes += size
		x.Body = newBody(sent)
	}
	r.capsule.Requests = append(r.capsule.Requests, x)
	return x.Number
}

func (r *Recorder) end(number int, a *responseRecorder) {
	if number == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	x := &r.capsule.Requests[number-1]
	status := a.status
	if !a.ended {
		status = 0 // the response was aborted
	} else if a.status == 0 {
		status = http.StatusOK
	}
	x.Status = status
	if a.hash != nil && x.Status != 0 {
		x.SHA256 = hex.EncodeToString(a.hash.Sum(nil))
	}
}

// omittedHeaders are headers that are secret or don't affect responses.
var omittedHeaders = []string{"User-Agent", "Accept-Encoding", "Connection", "Cookie", "Content-Length", "Date", "X-Soundstage-Token", "Proxy-Authorization"}

func headers(h http.Header) http.Header {
	c := h.Clone()
	for _, name := range omittedHeaders {
		c.Del(name)
	}
	if v := c.Get("Authorization"); v != "" && !strings.Contains(v, "sk_sandbox_") {
		c.Set("Authorization", "Bearer not-recorded")
	}
	return c
}

// responseRecorder records the status and the hash of a response.
type responseRecorder struct {
	http.ResponseWriter
	status int
	hash   hash.Hash // nil when the body isn't hashed
	ended  bool      // whether the handler returned
}

// Unwrap supports http.ResponseController.
func (a *responseRecorder) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *responseRecorder) WriteHeader(status int) {
	if a.status == 0 && status >= 200 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *responseRecorder) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	if a.hash != nil {
		a.hash.Write(p)
	}
	return a.ResponseWriter.Write(p)
}

// Record records a change that was made without HTTP as the equivalent request. Call the returned function with the status that the
// request would have had. A nil Recorder records nothing.
func (r *Recorder) Record(method, path string, body []byte) (done func(status int)) {
	if r == nil {
		return func(int) {}
	}
	req, err := http.NewRequest(method, "http://127.0.0.1"+path, nil)
	if err != nil {
		return func(int) {}
	}
	number := r.begin(req, body)
	return func(status int) { r.end(number, &responseRecorder{status: status, ended: true}) }
}

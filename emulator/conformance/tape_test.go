package conformance_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// spoken is what a server answered.
type spoken struct {
	status int
	header http.Header
	body   []byte
}

// same reports whether a server answered the same.
func (s spoken) same(o spoken) bool { return s.status == o.status && bytes.Equal(s.body, o.body) }

// response is the answer to a request.
func (s spoken) response(req *http.Request) *http.Response {
	return &http.Response{
		StatusCode: s.status, Header: s.header.Clone(), Body: io.NopCloser(bytes.NewReader(s.body)), ContentLength: int64(len(s.body)),
		Request: req, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
}

// tape is a transport that keeps what the server answered to each request of each check, in order.
type tape struct {
	server http.RoundTripper

	mu   sync.Mutex
	kept map[string][]spoken
}

// line names a request: who asks, and for what. It leaves the body to be read again.
func line(req *http.Request) (string, error) {
	var sent []byte
	if req.Body != nil {
		var err error
		if sent, err = io.ReadAll(req.Body); err != nil {
			return "", err
		}
		req.Body = io.NopCloser(bytes.NewReader(sent))
	}
	h := req.Header
	return fmt.Sprintf("%s %s %s %s %s %x", h.Get("User-Agent"), req.Method, req.URL, h.Get("Authorization"), h.Get("Content-Type"), sha256.Sum256(sent)), nil
}

// RoundTrip asks the server and keeps the answer.
func (t *tape) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	name, err := line(req)
	if err != nil {
		return nil, err
	}
	resp, err := t.server.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	s := spoken{status: resp.StatusCode, header: resp.Header}
	if s.body, err = io.ReadAll(resp.Body); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if all := t.kept[name]; len(all) == 0 || !all[len(all)-1].same(s) { // polling gets the same for a while
		t.kept[name] = append(all, s)
	}
	return s.response(req), nil
}

// replay is a transport that answers as the tape has it, but does one thing wrong. What the tape doesn't have goes to the
// server.
type replay struct {
	tape    *tape
	mistake mistake

	mu   sync.Mutex
	next map[string]int // which answer to a request comes next
}

// RoundTrip answers wrongly what the mistake is about, and everything else rightly.
func (r *replay) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	if r.mistake.request != nil && r.mistake.about(req) {
		r.mistake.request(req)
	}
	resp, err := r.answer(req)
	if err != nil {
		return nil, err
	}
	return resp, r.mistake.spoil(resp)
}

// answer is what the server said. The last answer to a request is repeated, as polling goes on for as long as it likes.
func (r *replay) answer(req *http.Request) (*http.Response, error) {
	name, err := line(req)
	if err != nil {
		return nil, err
	}
	all := r.tape.kept[name]
	if len(all) == 0 {
		return r.tape.server.RoundTrip(req)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.next[name]
	r.next[name] = min(i+1, len(all)-1)
	return all[i].response(req), nil
}

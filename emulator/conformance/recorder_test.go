package conformance_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// recordedResponse is a recorded response.
type recordedResponse struct {
	status int
	header http.Header
	body   []byte
}

// same reports whether two responses have the same status and body.
func (s recordedResponse) same(o recordedResponse) bool {
	return s.status == o.status && bytes.Equal(s.body, o.body)
}

// response returns the recorded response as one to req.
func (s recordedResponse) response(req *http.Request) *http.Response {
	return &http.Response{
		StatusCode: s.status, Header: s.header.Clone(), Body: io.NopCloser(bytes.NewReader(s.body)), ContentLength: int64(len(s.body)),
		Request: req, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
}

// recorder is a transport that records the server's responses to each request of each check, in order.
type recorder struct {
	server http.RoundTripper

	mu        sync.Mutex
	responses map[string][]recordedResponse
}

// requestKey returns a key for a request: its check, method, URL, secret, type, and body. It leaves the body readable.
func requestKey(req *http.Request) (string, error) {
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

// RoundTrip forwards a request to the server and records the response.
func (t *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	name, err := requestKey(req)
	if err != nil {
		return nil, err
	}
	resp, err := t.server.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	s := recordedResponse{status: resp.StatusCode, header: resp.Header}
	if s.body, err = io.ReadAll(resp.Body); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if all := t.responses[name]; len(all) == 0 || !all[len(all)-1].same(s) { // polls repeat the same response
		t.responses[name] = append(all, s)
	}
	return s.response(req), nil
}

// replayer is a transport that returns recorded responses with one mistake. Requests that were not recorded go to the server.
type replayer struct {
	recorder *recorder
	mistake  mistake

	mu      sync.Mutex
	next    map[string]int // index of the next response to a request
	repeats map[string]int // how often its last response was returned
}

// errOver ends a poll for what never comes.
var errOver = errors.New("the recording has no other response")

// mostRepeats is how often the last response to a request is returned.
const mostRepeats = 20

func (k originalRun) replay(m mistake) *replayer {
	return &replayer{recorder: k.recorder, mistake: m, next: map[string]int{}, repeats: map[string]int{}}
}

// RoundTrip returns the recorded response, changed if the mistake applies.
func (r *replayer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	if r.mistake.request != nil && r.mistake.appliesTo(req) {
		r.mistake.request(req)
	}
	resp, err := r.answer(req)
	if err != nil {
		return nil, err
	}
	return resp, r.mistake.change(resp)
}

// answer returns the next recorded response. It repeats the last one, because a check may poll longer than the original run, but not
// forever.
func (r *replayer) answer(req *http.Request) (*http.Response, error) {
	name, err := requestKey(req)
	if err != nil {
		return nil, err
	}
	all := r.recorder.responses[name]
	if len(all) == 0 {
		return r.recorder.server.RoundTrip(req)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.next[name]
	if i == len(all)-1 {
		if r.repeats[name]++; r.repeats[name] > mostRepeats {
			return nil, errOver
		}
	}
	r.next[name] = min(i+1, len(all)-1)
	return all[i].response(req), nil
}

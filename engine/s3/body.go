package s3

import (
	"errors"
	"io"
	"net/http"
	"sync"
)

// loaned is a transport that reads the body of a request only until RoundTrip returns. http.Transport may read on after the store has
// answered early, with an error. minio-go then sends the same reader again, and bytes of the second request would be missing.
type loaned struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (l loaned) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return l.RoundTripper.RoundTrip(req)
	}
	body := &loanedBody{ReadCloser: req.Body}
	own := req.WithContext(req.Context()) // a copy
	own.Body = body
	defer body.end()
	return l.RoundTripper.RoundTrip(own)
}

// loanedBody is a body that can't be read after end.
type loanedBody struct {
	io.ReadCloser
	mu    sync.Mutex
	ended bool
}

var errEnded = errors.New("s3: the request has ended")

func (b *loanedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return 0, errEnded
	}
	return b.ReadCloser.Read(p)
}

// end waits for a Read and makes later ones fail.
func (b *loanedBody) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
}

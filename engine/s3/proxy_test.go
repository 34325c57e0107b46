package s3_test

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// proxy is a server between the blobs and the S3 server that makes faults.
type proxy struct {
	bucket s3test.Bucket
	url    string

	mu      sync.Mutex
	request func(w http.ResponseWriter, r *http.Request) bool // answers a request itself; nil for none
	answer  func(*http.Response) error                        // changes an answer, or loses it by an error; nil for none
}

// newProxy returns a proxy, and blobs that use it.
func newProxy(t *testing.T, o s3.Options) (*proxy, *s3.Blobs) {
	t.Helper()
	p := startProxy(t, s3test.New(t))
	return p, openAt(t, p.bucket, p.bucket.AddressAt(p.url, "some/prefix"), o)
}

func startProxy(t *testing.T, bucket s3test.Bucket) *proxy {
	t.Helper()
	target, err := url.Parse(bucket.Endpoint)
	require.NoError(t, err)
	p := &proxy{bucket: bucket}
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // it is signed
		},
		ModifyResponse: func(r *http.Response) error {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.answer == nil {
				return nil
			}
			return p.answer(r)
		},
		ErrorLog:     log.New(io.Discard, "", 0),
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		request := p.request
		p.mu.Unlock()
		if request == nil || !request(w, r) {
			forward.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

// on sets the faults from now on.
func (p *proxy) on(request func(http.ResponseWriter, *http.Request) bool, answer func(*http.Response) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.request, p.answer = request, answer
}

// refuse answers as S3 does.
func refuse(w http.ResponseWriter, status int, code string) bool {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<Error><Code>"+code+"</Code><Message>Test.</Message></Error>")
	return true
}

// times returns a fault that happens n times, to requests of some methods.
func times(n int, methods string, fault func(http.ResponseWriter, *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
	var mu sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if n <= 0 || !strings.Contains(methods, r.Method) {
			return false
		}
		n--
		return fault(w, r)
	}
}

// cutBody ends after some bytes with an error, which closes the connection.
type cutBody struct {
	io.ReadCloser
	left int
}

func (c *cutBody) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errors.New("cut")
	}
	n, err := c.ReadCloser.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// faultyLink is a TCP proxy that cuts, delays, or drops what passes.
type faultyLink struct {
	t     *testing.T
	addr  string
	proxy *toxiproxy.Proxy
}

func newFaultyLink(t *testing.T, upstream string) *faultyLink {
	t.Helper()
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	p := toxiproxy.NewProxy(server, "link", "127.0.0.1:0", upstream)
	require.NoError(t, p.Start())
	t.Cleanup(p.Stop)
	return &faultyLink{t: t, addr: p.Listen, proxy: p}
}

// cut ends every connection. New ones work. The proxy keeps its port, which another connection would take.
func (l *faultyLink) cut() {
	l.drop()
	l.heal()
}

// add adds a toxic, such as {"type": "latency", "attributes": {"latency": 2000}}, to connections that exist and to new ones.
func (l *faultyLink) add(toxic string) {
	_, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(toxic))
	require.NoError(l.t, err)
}

// delay delays everything that is sent in each direction by half of a time in milliseconds.
func (l *faultyLink) delay(ms int) {
	for _, stream := range []string{"upstream", "downstream"} {
		l.add(fmt.Sprintf(`{"name": "delay-%s", "type": "latency", "stream": %[1]q, "attributes": {"latency": %d}}`, stream, ms/2))
	}
}

// drop drops everything that is sent, and closes nothing.
func (l *faultyLink) drop() {
	for _, stream := range []string{"upstream", "downstream"} {
		l.add(fmt.Sprintf(`{"name": "drop-%s", "type": "timeout", "stream": %[1]q, "attributes": {"timeout": 0}}`, stream))
	}
}

// heal removes all toxics, and ends the connections whose bytes were dropped.
func (l *faultyLink) heal() { l.proxy.Toxics.ResetToxics(context.Background()) }

// A cut ends connections on which nothing is sent, too, and new ones work.
func TestCut(t *testing.T) {
	t.Parallel()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close() })
	go func() {
		for {
			c, err := server.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "hello") // and is left open
		}
	}()
	l := newFaultyLink(t, server.Addr().String())
	for range 3 {
		c, err := net.Dial("tcp", l.addr)
		require.NoError(t, err)
		require.NoError(t, c.SetDeadline(time.Now().Add(30*time.Second)))
		_, err = io.ReadFull(c, make([]byte, 5))
		require.NoError(t, err)
		l.cut()
		_, err = c.Read(make([]byte, 1))
		require.Error(t, err)
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
		require.NoError(t, c.Close())
	}
}

// faultyStore is an HTTP proxy of an S3 server, which can refuse requests. link is between both.
type faultyStore struct {
	*httptest.Server
	bucket s3test.Bucket
	link   *faultyLink

	mu      sync.Mutex
	code    string // refuses all requests with this code of S3; "" for none
	refused int
}

func newFaultyStore(t *testing.T, bucket s3test.Bucket) *faultyStore {
	t.Helper()
	target, err := url.Parse(bucket.Endpoint)
	require.NoError(t, err)
	s := &faultyStore{bucket: bucket, link: newFaultyLink(t, target.Host)}
	target.Host = s.link.addr
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // it is signed
		},
		ErrorLog:     log.New(io.Discard, "", 0),
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if code := s.refuses(); code != "" {
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = fmt.Fprintf(w, "<Error><Code>%s</Code><Message>Test.</Message></Error>", code)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *faultyStore) refuses() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.code != "" {
		s.refused++
	}
	return s.code
}

// refuse makes the store refuse all requests with a code of S3; "" ends that.
func (s *faultyStore) refuse(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.code = code
}

// address returns the address for --objects.
func (s *faultyStore) address() string { return s.bucket.AddressAt(s.URL, "") }

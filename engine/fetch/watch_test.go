package fetch_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A stalled body is a retryable error after IdleTimeout.
func TestStalledBody(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Path[1:])
		_, _ = w.Write(make([]byte, n))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	for _, path := range []string{"/0", "/1", "/5000", "/100000"} {
		_, _, err := get(private(fetch.Config{IdleTimeout: 50 * time.Millisecond}), server.URL+path)
		requireError(t, err, engine.CodeDownload, true, "sent nothing for 50ms")
	}
}

// A slow writer doesn't count as a stall.
func TestSlowWriterIsNoStall(t *testing.T) {
	t.Parallel()
	const idle = 500 * time.Millisecond
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 70_000)) })
	var written bytes.Buffer
	slow := writerFunc(func(p []byte) (int, error) {
		<-time.After(2 * idle)
		return written.Write(p)
	})
	_, err := private(fetch.Config{IdleTimeout: idle}).Fetch(context.Background(), engine.FetchRequest{URL: server.URL}, slow)
	require.NoError(t, err)
	require.Equal(t, 70_000, written.Len())
}

// A response whose headers take longer than HeaderTimeout is an error.
func TestHeaderTimeout(t *testing.T) {
	t.Parallel()
	silent := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	endless := raw(t, func(c *net.TCPConn, _ *http.Request) {
		_, _ = c.Write([]byte("HTTP/1.1 200 OK\r\nX-Endless: "))
		_, _ = c.Read(make([]byte, 1)) // until the client closes the connection
	})
	secure, roots := serveTLS(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	for _, url := range []string{silent.URL, endless.URL, secure.URL} {
		_, _, err := get(private(fetch.Config{HeaderTimeout: 50 * time.Millisecond, RootCAs: roots}), url)
		requireError(t, err, engine.CodeDownload, true, "in time")
	}
}

// A TLS handshake that takes longer than DialTimeout is an error.
func TestHandshakeTimeout(t *testing.T) {
	t.Parallel()
	silent := newCanary(t, "127.0.0.1:0")
	_, _, err := get(private(fetch.Config{DialTimeout: 50 * time.Millisecond}), "https://"+silent.Addr().String())
	requireError(t, err, engine.CodeDownload, true, "in time")
}

// A body slower than MinRate is an error after WallTimeout.
func TestDrip(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/announced" {
			w.Header().Set("Content-Length", "1000000")
		}
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for r.Context().Err() == nil {
			_, _ = w.Write(make([]byte, 100))
			_ = http.NewResponseController(w).Flush()
			<-tick.C
		}
	})
	for _, path := range []string{"/announced", "/unannounced"} {
		_, _, err := get(private(fetch.Config{WallTimeout: 100 * time.Millisecond, MinRate: 1 << 40}), server.URL+path)
		requireError(t, err, engine.CodeDownload, true, "too slow")
	}
}

// A large file may take longer than WallTimeout: its size, or the bytes received so far, divided by MinRate.
func TestLargeFilesHaveLonger(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it waits for timeouts")
	const wall = 400 * time.Millisecond
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/announced" {
			w.Header().Set("Content-Length", "20000")
		}
		_, _ = w.Write(make([]byte, 10_000))
		_ = http.NewResponseController(w).Flush()
		<-time.After(wall + wall/2)
		_, _ = w.Write(make([]byte, 10_000))
	})
	for _, path := range []string{"/announced", "/unannounced"} {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			got, _, err := get(private(fetch.Config{WallTimeout: wall, MinRate: 100}), server.URL+path) // 100 s and more
			require.NoError(t, err)
			require.Len(t, got, 20_000)
		})
	}
}

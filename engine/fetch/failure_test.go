package fetch_test

import (
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/internal/executable"
)

// Every status except 200 and 203 is an error that names it. Temporary ones are retryable.
func TestStatuses(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		status, _ := strconv.Atoi(r.URL.Path[1:])
		w.WriteHeader(status)
		if status != http.StatusNoContent && status != http.StatusNotModified {
			_, _ = w.Write(media())
		}
	})
	client := private(fetch.Config{})
	for _, status := range []int{200, 203} {
		_, _, err := get(client, server.URL+"/"+strconv.Itoa(status))
		require.NoError(t, err)
	}
	for status, retryable := range map[int]bool{
		201: false, 204: false, 206: false, 300: false, 301: false, 304: false, 400: false, 401: false, 402: false, 403: false,
		404: false, 405: false, 406: false, 410: false, 416: false, 418: false, 451: false, 499: false,
		408: true, 425: true, 429: true, 500: true, 502: true, 503: true, 504: true, 520: true, 599: true, 999: true,
	} {
		got, _, err := get(client, server.URL+"/"+strconv.Itoa(status))
		requireError(t, err, engine.CodeDownload, retryable, "status "+strconv.Itoa(status))
		require.Empty(t, got)
	}
}

// The error for status 403 has a hint.
func TestForbiddenHasAHint(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	_, _, err := get(private(fetch.Config{}), server.URL)
	var e *engine.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "The server answered with status 403 (Forbidden).", e.Msg)
	require.Contains(t, e.Hint, "without signing in")
}

// Retryable statuses carry the server's Retry-After.
func TestStatusWithRetryAfter(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "90")
		status, _ := strconv.Atoi(r.URL.Path[1:])
		w.WriteHeader(status)
	})
	for status, want := range map[string]time.Duration{"429": 90 * time.Second, "503": 90 * time.Second, "404": 0} {
		_, _, err := get(private(fetch.Config{}), server.URL+"/"+status)
		var e *engine.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, want, e.RetryAfter)
	}
}

// Bytes after the announced length are not part of the file.
func TestNothingBehindTheEnd(t *testing.T) {
	t.Parallel()
	server := raw(t, func(c *net.TCPConn, _ *http.Request) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef")
	})
	got, info, err := get(private(fetch.Config{}), server.URL)
	require.NoError(t, err)
	require.Equal(t, "abc", string(got))
	require.EqualValues(t, 3, info.Size)
}

// A body that ends early is an error and never a short file: before its announced length, within a chunk, or by a reset
// of the connection or stream.
func TestShortBody(t *testing.T) {
	t.Parallel()
	short := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10000")
		_, _ = w.Write(make([]byte, 5000))
	})
	empty := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "10000") })
	_, _, err := get(private(fetch.Config{}), short.URL)
	requireError(t, err, engine.CodeDownload, true, "after 5000 of 10000 bytes")
	_, _, err = get(private(fetch.Config{}), empty.URL)
	requireError(t, err, engine.CodeDownload, true, "after 0 of 10000 bytes")

	chunk := raw(t, func(c *net.TCPConn, _ *http.Request) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100\r\nabc")
	})
	last := raw(t, func(c *net.TCPConn, _ *http.Request) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
	})
	reset := raw(t, func(c *net.TCPConn, _ *http.Request) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\nabc")
		_ = c.SetLinger(0)
	})
	stream, roots := serveTLS(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("abc"))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	for _, url := range []string{chunk.URL, last.URL, reset.URL, stream.URL} {
		_, _, err = get(private(fetch.Config{RootCAs: roots}), url)
		requireError(t, err, engine.CodeDownload, true, "")
	}
}

// The error for a server that doesn't respond is retryable.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	hangup := raw(t, func(*net.TCPConn, *http.Request) {})
	_, _, err := get(private(fetch.Config{}), hangup.URL)
	requireError(t, err, engine.CodeDownload, true, "without a response")

	_, _, err = get(private(fetch.Config{}), "http://127.0.0.1:"+executable.Port(t))
	requireError(t, err, engine.CodeDownload, true, "refused the connection")

	noise := raw(t, func(c *net.TCPConn, _ *http.Request) { _, _ = io.WriteString(c, "220 smtp.example.com ESMTP\r\n") })
	_, _, err = get(private(fetch.Config{}), noise.URL)
	requireError(t, err, engine.CodeDownload, true, "invalid response")
}

// Headers larger than 64 KiB end the download; smaller ones don't.
func TestHugeHeaders(t *testing.T) {
	t.Parallel()
	handler := func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Path[1:])
		w.Header().Set("X-Huge", strings.Repeat("a", n))
		_, _ = w.Write(media())
	}
	plain := serve(t, handler)
	secure, roots := serveTLS(t, handler)
	client := private(fetch.Config{RootCAs: roots})
	for _, url := range []string{plain.URL, secure.URL} {
		_, _, err := get(client, url+"/50000")
		require.NoError(t, err)
		got, _, err := get(client, url+"/70000")
		requireError(t, err, engine.CodeDownload, true, "invalid response")
		require.Empty(t, got)
	}
}

// The error for a missing name is permanent; for a failing name server it is retryable.
func TestNames(t *testing.T) {
	t.Parallel()
	dns := newNameServer()
	dns.addFailing("failing.test")
	dns.add("empty.test", nil)
	client := private(fetch.Config{Resolver: dns.resolver()})
	_, _, err := get(client, "http://missing.test/a.mp3")
	requireError(t, err, engine.CodeDownload, false, "not found")
	_, _, err = get(client, "http://empty.test/a.mp3")
	requireError(t, err, engine.CodeDownload, false, "not found")
	_, _, err = get(client, "http://failing.test/a.mp3")
	requireError(t, err, engine.CodeDownload, true, "could not be resolved")
}

// An invalid URL is an error before any request.
func TestUnusableURL(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "file:///etc/passwd", "//example.com/a.mp3", "example.com/a.mp3", "http://user@example.com/"} {
		_, info, err := get(private(fetch.Config{}), url)
		requireError(t, err, engine.CodeInvalid, false, "url ")
		require.Zero(t, info)
	}
}

// The logged error contains the cause, but not the URL, which may be signed.
func TestErrorsKeepSecrets(t *testing.T) {
	t.Parallel()
	hangup := raw(t, func(*net.TCPConn, *http.Request) {})
	away := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://exa mple.com/?sig=hunter2")
		w.WriteHeader(http.StatusFound)
	})
	for _, url := range []string{hangup.URL, away.URL} {
		_, _, err := get(private(fetch.Config{}), url+"/a?sig=hunter2")
		require.Error(t, err)
		require.NotContains(t, err.Error(), "hunter2")
	}
}

// quiet returns a logger that discards the errors that a test provokes.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

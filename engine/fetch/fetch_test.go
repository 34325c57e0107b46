package fetch_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// Fetch returns the unchanged bytes, and the final URL, media type, file name, and size.
func TestFetch(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "Audio/MPEG; name=x")
		_, _ = w.Write(media())
	})
	got, info, err := get(private(fetch.Config{}), server.URL+"/shows/my%20show.mp3?token=1#t=3")
	require.NoError(t, err)
	require.Equal(t, media(), got)
	require.Equal(t, engine.FetchInfo{
		URL: server.URL + "/shows/my%20show.mp3?token=1", ContentType: "audio/mpeg", Filename: "my show.mp3", Size: int64(len(media())),
	}, info)
}

// The request identifies the client, asks for identity encoding, and carries nothing else.
func TestRequestHeaders(t *testing.T) {
	t.Parallel()
	seen := make(chan *http.Request, 1)
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { seen <- r })
	_, _, err := get(private(fetch.Config{}), server.URL)
	require.NoError(t, err)
	r := <-seen
	require.Equal(t, http.MethodGet, r.Method)
	require.Equal(t, http.Header{
		"User-Agent": {"Soundstage/1"}, "Accept": {"*/*"}, "Accept-Encoding": {"identity"}, "Connection": {"close"},
	}, r.Header)
}

// Fetch copies bodies of sizes around its buffer sizes, empty ones too, with and without an announced length.
func TestSizes(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		if r.URL.Path == "/announced" {
			w.Header().Set("Content-Length", strconv.Itoa(n))
		} else {
			_ = http.NewResponseController(w).Flush()
		}
		_, _ = w.Write(bytes.Repeat([]byte{7}, n))
	})
	client := private(fetch.Config{})
	for _, n := range []int{0, 1, 511, 512, 4095, 4096, 4097, 65535, 65536, 65537, 300_000} {
		for _, path := range []string{"announced", "unannounced"} {
			got, info, err := get(client, fmt.Sprintf("%s/%s?n=%d", server.URL, path, n))
			require.NoError(t, err)
			require.Len(t, got, n)
			require.EqualValues(t, n, info.Size)
		}
	}
}

// Over https, Fetch uses HTTP/2 if the server supports it. An untrusted certificate is a permanent error.
func TestHTTPS(t *testing.T) {
	t.Parallel()
	server, roots := serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Proto", r.Proto)
		_, _ = fmt.Fprint(w, r.Proto)
	})
	got, info, err := get(private(fetch.Config{RootCAs: roots}), server.URL+"/a")
	require.NoError(t, err)
	require.Equal(t, "HTTP/2.0", string(got))
	require.EqualValues(t, len("HTTP/2.0"), info.Size)

	_, _, err = get(private(fetch.Config{}), server.URL+"/a")
	requireError(t, err, engine.CodeDownload, false, "certificate")
}

// An https URL to an http server is a permanent error about TLS.
func TestNoTLS(t *testing.T) {
	t.Parallel()
	server := serve(t, func(http.ResponseWriter, *http.Request) {})
	_, _, err := get(private(fetch.Config{}), "https"+server.URL[len("http"):])
	requireError(t, err, engine.CodeDownload, false, "TLS handshake")
}

// A file of exactly MaxBytes is downloaded. A longer one is CodeTooLarge, and nothing beyond the limit is written;
// nothing at all if its length was announced.
func TestMaxBytes(t *testing.T) {
	t.Parallel()
	const limit = 100_000
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		if r.URL.Path == "/announced" {
			w.Header().Set("Content-Length", strconv.Itoa(n))
		} else {
			_ = http.NewResponseController(w).Flush()
		}
		_, _ = w.Write(make([]byte, n))
	})
	client := private(fetch.Config{MaxBytes: limit})
	for _, path := range []string{"/announced", "/unannounced"} {
		got, _, err := get(client, fmt.Sprintf("%s%s?n=%d", server.URL, path, limit))
		require.NoError(t, err)
		require.Len(t, got, limit)

		got, info, err := get(client, fmt.Sprintf("%s%s?n=%d", server.URL, path, limit+1))
		requireError(t, err, engine.CodeTooLarge, false, "larger than 100000 bytes")
		require.LessOrEqual(t, len(got), limit)
		require.Zero(t, info)
		if path == "/announced" {
			require.Empty(t, got)
		}
	}
}

// A compressed response is refused before its body is read, because a small one may be huge when decompressed. A
// compressed file is a file like any other.
func TestCompressedAnswerIsRefused(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for _, encoding := range r.URL.Query()["e"] {
			w.Header().Add("Content-Encoding", encoding)
		}
		_, _ = w.Write([]byte("\x1f\x8b\x08rest"))
	})
	client := private(fetch.Config{})
	for _, query := range []string{"?e=gzip", "?e=br", "?e=deflate", "?e=identity,gzip", "?e=identity&e=gzip", "?e=x"} {
		got, _, err := get(client, server.URL+"/a"+query)
		requireError(t, err, engine.CodeDownload, false, "compressed")
		require.Empty(t, got)
	}
	for _, query := range []string{"", "?e=identity", "?e=Identity", "?e="} {
		got, _, err := get(client, server.URL+"/a"+query)
		require.NoError(t, err)
		require.Equal(t, "\x1f\x8b\x08rest", string(got))
	}
}

// An error of the writer ends the download and keeps its own code.
func TestWriterErrorIsKept(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(media()) })
	full := engine.Errorf(engine.CodeNoSpace, "Create", "The disk is full.")
	for _, want := range []error{full, io.ErrShortWrite, errors.New("broken")} {
		_, err := private(fetch.Config{}).Fetch(context.Background(), engine.FetchRequest{URL: server.URL}, writerFunc(func([]byte) (int, error) { return 0, want }))
		require.ErrorIs(t, err, want)
		require.Equal(t, engine.CodeOf(want), engine.CodeOf(err))
	}
}

// A canceled download is CodeCanceled with the caller's cause: before it starts, while it waits for the response, and
// during the body.
func TestCancel(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			_, _ = w.Write(media())
			_ = http.NewResponseController(w).Flush()
		}
		asked <- struct{}{}
		<-r.Context().Done()
	})
	shutdown := errors.New("shutdown")
	for _, path := range []string{"/before", "/headers", "/body"} {
		ctx, cancel := context.WithCancelCause(context.Background())
		if path == "/before" {
			cancel(shutdown)
		} else {
			go func() {
				<-asked
				cancel(shutdown)
			}()
		}
		_, err := private(fetch.Config{}).Fetch(ctx, engine.FetchRequest{URL: server.URL + path}, io.Discard)
		requireError(t, err, engine.CodeCanceled, false, "canceled")
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, shutdown)
	}
}

// One client runs many downloads concurrently.
func TestConcurrentDownloads(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(media()) })
	client := private(fetch.Config{})
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			got, _, err := get(client, server.URL)
			if err != nil || !bytes.Equal(got, media()) {
				t.Errorf("got %d bytes and %v", len(got), err)
			}
		})
	}
	all.Wait()
}

// serveTLS serves over https with HTTP/2, and returns the pool that trusts the server.
func serveTLS(t *testing.T, h http.HandlerFunc) (*httptest.Server, *x509.CertPool) {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = quiet()
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return server, roots
}

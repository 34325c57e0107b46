package emulatortest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// onBoth runs a test against a handler over a connection, and in memory, which must not differ.
func onBoth(t *testing.T, h http.HandlerFunc, fn func(t *testing.T, c *http.Client, base string)) {
	t.Helper()
	t.Run("network", func(t *testing.T) {
		s := httptest.NewServer(h)
		defer s.Close()
		s.Client().Transport.(*http.Transport).DisableKeepAlives = true // else a request may meet a connection that is being closed
		fn(t, s.Client(), s.URL)
	})
	t.Run("memory", func(t *testing.T) {
		d := newDirect(h, memoryAddr)
		fn(t, &http.Client{Transport: d}, "http://"+memoryAddr)
		require.True(t, d.close())
	})
}

// A handler sees the same request, and a client the same answer, as with a connection between them.
func TestDirectIsLikeNet(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen []string
	note := func(s ...string) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, strings.Join(s, "|"))
	}
	onBoth(t, func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		var b strings.Builder
		req.Header.Del("Connection")
		_ = req.Header.Write(&b)
		note(req.Method, req.RequestURI, req.URL.String(), req.URL.EscapedPath(), req.Proto, b.String(),
			string(body), strings.Join(req.TransferEncoding, ","))
		switch req.URL.Query().Get("do") {
		case "short":
			w.Header().Set("Content-Length", "10")
			_, err = w.Write([]byte("abc"))
		case "long":
			w.Header().Set("Content-Length", "3")
			_, err = w.Write([]byte("abcdef"))
			if errors.Is(err, http.ErrContentLength) {
				err = nil
			} else {
				err = errors.New("more is written than was declared")
			}
		case "none":
			w.WriteHeader(http.StatusNoContent)
		case "nothing":
		case "early":
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusAccepted)
		case "abort":
			_, _ = w.Write([]byte("lost"))
			panic(http.ErrAbortHandler)
		case "cut":
			_, _ = w.Write([]byte("kept"))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case "large":
			_, err = w.Write([]byte(strings.Repeat("0123456789", 50_000)))
		default:
			_, err = w.Write([]byte("<html>" + string(body)))
		}
		if err != nil {
			t.Errorf("%s %s: %v", req.Method, req.URL, err)
		}
	}, func(t *testing.T, c *http.Client, base string) {
		for _, do := range []string{"", "short", "long", "none", "nothing", "early", "abort", "cut", "large"} {
			for _, method := range []string{"GET", "HEAD", "POST"} {
				if method != "POST" && do == "abort" {
					continue // which net/http sends again on another connection
				}
				req, err := http.NewRequestWithContext(t.Context(), method, base+"/a%2Fb/ü?do="+do+"#here", strings.NewReader("body"))
				require.NoError(t, err)
				if method != "POST" {
					req.Body, req.ContentLength = nil, 0
				} else if do == "large" {
					req.ContentLength, req.GetBody = -1, nil
				}
				resp, err := c.Do(req)
				if err != nil {
					note("error " + errors.Unwrap(err).Error())
					continue
				}
				body, err := io.ReadAll(resp.Body)
				require.NoError(t, resp.Body.Close())
				resp.Header.Del("Date")
				resp.Header.Del("Connection")
				var b strings.Builder
				_ = resp.Header.Write(&b)
				note(resp.Status, b.String(), strings.Join(resp.TransferEncoding, ","), string(body[:min(len(body), 100)]), strconv.Itoa(len(body)))
				require.GreaterOrEqual(t, resp.ContentLength, int64(-1))
				if err != nil {
					note(err.Error())
				}
			}
		}
		note("end")
	})
	for i, s := range seen {
		if s == "end" {
			require.Equal(t, without(seen[:i+1]), without(seen[i+1:]))
			return
		}
	}
	t.Fatal("nothing was seen")
}

// without leaves out what only a connection knows.
func without(seen []string) (kept []string) {
	for _, s := range seen {
		if strings.HasPrefix(s, "error") {
			s = "error" // the words differ
		}
		kept = append(kept, s)
	}
	return kept
}

// A handler and its client talk in turns, and one that has gone is noticed by the other.
func TestDirectStreams(t *testing.T) {
	t.Parallel()
	gone := make(chan error, 2)
	onBoth(t, func(w http.ResponseWriter, req *http.Request) {
		rc := http.NewResponseController(w)
		if req.URL.Path == "/read" {
			_ = rc.SetReadDeadline(time.Now().Add(time.Millisecond))
			_, err := io.ReadAll(req.Body)
			gone <- err
			return
		}
		_, _ = io.WriteString(w, "first")
		_ = rc.Flush()
		<-req.Context().Done()
		for {
			if _, err := w.Write(make([]byte, 1<<10)); err != nil {
				gone <- err
				return
			}
		}
	}, func(t *testing.T, c *http.Client, base string) {
		for _, leave := range []string{"close", "cancel"} {
			ctx, cancel := context.WithCancel(t.Context())
			req, err := http.NewRequestWithContext(ctx, "GET", base, nil)
			require.NoError(t, err)
			resp, err := c.Do(req)
			require.NoError(t, err)
			first := make([]byte, 5)
			_, err = io.ReadFull(resp.Body, first)
			require.NoError(t, err)
			require.Equal(t, "first", string(first))
			if leave == "cancel" {
				cancel()
				_, err = io.ReadAll(resp.Body)
				require.ErrorIs(t, err, context.Canceled)
			}
			require.NoError(t, resp.Body.Close())
			cancel()
			require.Error(t, <-gone)
			_, err = resp.Body.Read(first)
			require.Error(t, err)
		}
		r, w := io.Pipe()
		resp, err := c.Post(base+"/read", "text/plain", r)
		require.NoError(t, err)
		require.ErrorContains(t, <-gone, "timeout")
		require.NoError(t, resp.Body.Close())
		require.NoError(t, w.Close())
		_, err = c.Get("http://" + "127.0.0.1:2")
		require.Error(t, err)
	})
}

// A connection that is taken and closed is one that ends, or is reset.
func TestDirectHijack(t *testing.T) {
	t.Parallel()
	for linger, want := range map[int]error{0: syscall.ECONNRESET, 1: io.EOF} {
		d := newDirect(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			require.NoError(t, err)
			require.NoError(t, conn.(interface{ SetLinger(int) error }).SetLinger(linger))
			require.NoError(t, conn.Close())
			_, err = w.Write([]byte("late"))
			require.ErrorIs(t, err, http.ErrHijacked)
		}), memoryAddr)
		_, err := (&http.Client{Transport: d}).Get("http://" + memoryAddr)
		require.ErrorIs(t, err, want)
		require.True(t, d.close())
		_, err = (&http.Client{Transport: d}).Get("http://" + memoryAddr)
		require.ErrorIs(t, err, syscall.ECONNREFUSED)
	}
}

// BenchmarkDirect is the floor of every request: a handler that does nothing, over a connection and in memory.
func BenchmarkDirect(b *testing.B) {
	h := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(h)
	defer server.Close()
	d := newDirect(h, memoryAddr)
	for _, way := range []struct {
		name, base string
		client     *http.Client
	}{{"network", server.URL, server.Client()}, {"memory", "http://" + memoryAddr, &http.Client{Transport: d}}} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				resp, err := way.client.Get(way.base)
				require.NoError(b, err)
				require.NoError(b, resp.Body.Close())
			}
		})
	}
	require.True(b, d.close())
}

package proxy_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/proxy"
	"github.com/soundstage-dev/soundstage/engine"
)

// The service gets what the client sent, byte for byte, without hop-by-hop headers, and with its own Host; the client gets what the service sent.
func TestForwards(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body []byte
	to := service(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.Header().Set("X-Request-Id", "r1")
		w.Header().Set("Keep-Alive", "timeout=5")
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "short and stout")
	})
	base, k := through(t, to+"/base/")
	c := client{t, base, "own-secret"}
	a := c.do("PATCH", "/v1/a%2Fb/c?x=%zz&y=1&x=2;3", "\x00\xff", "Connection", "X-Hop", "X-Hop", "1", "Te", "gzip", "Proxy-Authorization", "Basic abc", "X-Kept", "yes", "User-Agent", "me/1")
	require.Equal(t, "/base/v1/a%2Fb/c", got.URL.EscapedPath())
	require.Equal(t, "x=%zz&y=1&x=2;3", got.URL.RawQuery)
	require.Equal(t, strings.TrimPrefix(to, "http://"), got.Host)
	require.Equal(t, "Bearer own-secret", got.Header.Get("Authorization"))
	require.Equal(t, "yes", got.Header.Get("X-Kept"))
	require.Equal(t, "me/1", got.Header.Get("User-Agent"))
	for _, name := range []string{"X-Hop", "Te", "Connection", "Proxy-Authorization", "X-Forwarded-For", "X-Forwarded-Host", "Via"} {
		require.Empty(t, got.Header.Values(name), name)
	}
	require.Equal(t, "\x00\xff", string(body))
	require.Equal(t, http.StatusTeapot, a.status)
	require.Equal(t, "short and stout", a.body)
	require.Equal(t, []string{"a=1", "b=2"}, a.header.Values("Set-Cookie"))
	require.Empty(t, a.header.Get("Keep-Alive"))
	x := k.last(t)
	require.Equal(t, "short and stout", x.ResponseBody.Text)
	require.Equal(t, http.StatusTeapot, x.Status)
	require.Empty(t, x.Error)
	require.Equal(t, "/v1/a%2Fb/c", x.Path, "the address of the service has the rest")
}

// A service whose address has a path is compared and replayed like any other, and its signed URLs lead through the proxy.
func TestBasePath(t *testing.T) {
	t.Parallel()
	var self string
	self = service(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.Method + r.URL.Path {
		case "GET/base/v1/spaces":
			_, _ = io.WriteString(w, `{"spaces":[],"count":0}`)
		case "POST/base/v1/uploads":
			_, _ = fmt.Fprintf(w, `{"object_id":"obj_1234567","upload_url":"%s/storage/obj_1234567"}`, self)
		case "PUT/storage/obj_1234567":
		default:
			w.WriteHeader(http.StatusTeapot)
		}
	})
	base, k := through(t, self+"/base")
	ask := func(c client) {
		require.Equal(t, 200, c.do("GET", "/v1/spaces", "").status)
		address := c.do("POST", "/v1/uploads", `{}`).text("upload_url")
		require.Contains(t, address, c.base+"/_soundstage/storage/http/")
		require.Equal(t, 200, c.do("PUT", address, "x").status)
	}
	ask(client{t, base, "secret"})
	all := k.exchanges()
	require.Equal(t, []string{"listSpaces", "createUpload", "putObject"}, []string{all[0].Op, all[1].Op, all[2].Op})
	c, _ := replayed(t, all, proxy.ReplayConfig{To: self + "/base"})
	ask(c)
}

// The proxy adds no Content-Type to a response without one.
func TestNoContentType(t *testing.T) {
	t.Parallel()
	base, _ := through(t, service(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		_, _ = io.WriteString(w, "<html>")
	}))
	require.Empty(t, client{t, base, ""}.do("GET", "/v1/spaces", "").header.Values("Content-Type"))
}

// Compressed responses pass as they are, and are recorded as text.
func TestCompressed(t *testing.T) {
	t.Parallel()
	var accepted string
	to := service(t, func(w http.ResponseWriter, r *http.Request) {
		accepted = r.Header.Get("Accept-Encoding")
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(`{"spaces":[],"count":0}`))
		_ = z.Close()
	})
	base, k := through(t, to)
	a := client{t, base, "s"}.do("GET", "/v1/spaces", "", "Accept-Encoding", "br, gzip")
	require.Equal(t, "gzip", accepted, "only what can be read")
	require.Equal(t, "gzip", a.header.Get("Content-Encoding"))
	z, err := gzip.NewReader(strings.NewReader(a.body))
	require.NoError(t, err)
	plain, err := io.ReadAll(z)
	require.NoError(t, err)
	require.Equal(t, `{"spaces":[],"count":0}`, string(plain))
	require.Equal(t, string(plain), k.last(t).ResponseBody.Text)
}

// Each event of a stream reaches the client before the next one is sent.
func TestStreams(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	to := service(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			_ = http.NewResponseController(w).Flush()
			<-next
		}
	})
	base, k := through(t, to)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/v1/events", nil)
	require.NoError(t, err)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	lines := bufio.NewReader(resp.Body)
	for i := range 3 {
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("data: %d\n", i), line)
		_, _ = lines.ReadString('\n')
		next <- struct{}{}
	}
	_, err = io.ReadAll(lines)
	require.NoError(t, err)
	_ = resp.Body.Close()
	require.Eventually(t, func() bool { return len(k.exchanges()) == 1 }, time.Minute, time.Millisecond)
	require.Equal(t, "data: 0\n\ndata: 1\n\ndata: 2\n\n", k.last(t).ResponseBody.Text)
}

// A body passes while it is sent: the service reads the first bytes before the client has sent the last. Only the first bytes are kept.
func TestLargeBodies(t *testing.T) {
	t.Parallel()
	const size = 8 << 20
	first := make(chan struct{})
	to := service(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadFull(r.Body, make([]byte, 1))
		close(first)
		n, _ := io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "video/mp4")
		_, _ = io.CopyN(w, rand.Reader, n)
	})
	base, k := through(t, to)
	r, w := io.Pipe()
	go func() {
		_, _ = w.Write(make([]byte, 1))
		<-first
		_, _ = io.CopyN(w, rand.Reader, size)
		_ = w.Close()
	}()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/v1/large", r)
	require.NoError(t, err)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	n, err := io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	_ = resp.Body.Close()
	require.EqualValues(t, size, n)
	require.Eventually(t, func() bool { return len(k.exchanges()) == 1 }, time.Minute, time.Millisecond)
	x := k.last(t)
	require.EqualValues(t, size+1, x.RequestBody.Bytes)
	require.EqualValues(t, size, x.ResponseBody.Bytes)
	require.Len(t, x.ResponseBody.Data(), k.MaxBody())
	require.False(t, x.ResponseBody.Whole())
}

// Without a usable response of the service, the client gets an error in the service's form, and the exchange says why.
func TestServiceFails(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(untrusted.Close)
	garbage, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = garbage.Close() })
	go func() {
		for {
			c, err := garbage.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 1024))
			_, _ = io.WriteString(c, "not HTTP\r\n\r\n")
			_ = c.Close()
		}
	}()
	for name, k := range map[string]struct {
		to     string
		status int
		reason string
	}{
		"no server":      {closed.URL, 502, "proxy.unreachable"},
		"no answer":      {service(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), 504, "proxy.timeout"},
		"no HTTP":        {"http://" + garbage.Addr().String(), 502, "proxy.unreachable"},
		"unknown CA":     {untrusted.URL, 502, "proxy.unreachable"},
		"unknown host":   {"http://no-such-host.invalid", 502, "proxy.unreachable"},
		"another scheme": {"https://" + strings.TrimPrefix(closed.URL, "http://"), 502, "proxy.unreachable"},
	} {
		base, kept := through(t, k.to, func(c *proxy.Config) {
			if name == "no answer" {
				c.Timeout = 300 * time.Millisecond
			}
		})
		a := client{t, base, "s"}.do("GET", "/v1/spaces", "")
		require.Equal(t, k.status, a.status, name)
		require.Equal(t, k.reason, a.header.Get("X-Soundstage-Reason"), name)
		require.Equal(t, "application/json", a.header.Get("Content-Type"), name)
		require.NotEmpty(t, a.text("error"), name)
		require.NotEmpty(t, a.header.Get("X-Soundstage-Hint"), name)
		require.NotEmpty(t, kept.last(t).Error, name)
	}
}

// A body of known length arrives as it comes, too.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	base, _ := through(t, service(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "10")
		_, _ = io.WriteString(w, "first")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-next:
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, "later")
	}))
	client := &http.Client{Timeout: time.Minute}
	resp, err := client.Get(base + "/v1/spaces")
	require.NoError(t, err)
	first := make([]byte, 5)
	_, err = io.ReadFull(resp.Body, first)
	require.NoError(t, err)
	close(next)
	rest, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, "firstlater", string(first)+string(rest))
	require.NoError(t, resp.Body.Close())
}

// A response that is cut is cut at the client, too, and the exchange says so.
func TestBrokenResponse(t *testing.T) {
	t.Parallel()
	to := service(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	base, k := through(t, to)
	resp, err := http.Get(base + "/v1/spaces")
	require.NoError(t, err)
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, resp.Body.Close())
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, "half", string(got))
	require.Eventually(t, func() bool { return len(k.exchanges()) == 1 }, time.Minute, time.Millisecond)
	require.Contains(t, k.last(t).Error, "was cut")
	require.Equal(t, "half", k.last(t).ResponseBody.Text)
}

// Addresses that are no service are refused, without repeating a password.
func TestBadAddresses(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"", "api.example.com", "ftp://api.example.com", "https://", "https://api.example.com?x=1", "https://me:pw@api.example.com", "https://api.example.com/v1", "https://api.example.com/v1/", "https://[::1"} {
		_, err := proxy.New(proxy.Config{To: to})
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), to)
		require.NotContains(t, err.Error(), "pw", to)
	}
	base, _ := through(t, "http://127.0.0.1:1")
	c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	require.NoError(t, err)
	defer func() { _ = c.Close() }()
	_, err = io.WriteString(c, "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(c).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "400")
}

// With a CA of its own, a TLS service is reached over HTTPS.
func TestTLS(t *testing.T) {
	t.Parallel()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "secure") }))
	t.Cleanup(s.Close)
	transport := proxy.NewTransport(time.Minute)
	transport.TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig
	base, _ := through(t, s.URL, func(c *proxy.Config) { c.Transport = transport })
	require.Equal(t, "secure", client{t, base, ""}.do("GET", "/v1/spaces", "").body)
}

// The signed URLs of storage on another host lead through the proxy; the storage gets the original URL, and never the service's secret.
func TestStorageElsewhere(t *testing.T) {
	t.Parallel()
	var stored *http.Request
	var bytesPut []byte
	storage := service(t, func(w http.ResponseWriter, r *http.Request) {
		stored = r
		bytesPut, _ = io.ReadAll(r.Body)
		w.Header().Set("Etag", `"1"`)
		_, _ = io.WriteString(w, "")
	})
	signed := storage + "/bucket/obj_1234567?X-Amz-Signature=a%2Fb&X-Amz-Date=1"
	to := service(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Accept-Encoding") == "gzip" {
			panic("the body could not be rewritten")
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprintf(w, `{"object_id":"obj_1234567", "upload_url" :  "%s","space_id":"<&>"}`, strings.ReplaceAll(signed, "&", `\u0026`))
	})
	to = strings.Replace(to, "127.0.0.1", "localhost", 1)
	base, k := through(t, to)
	c := client{t, base, "own-secret"}
	require.Equal(t, http.StatusForbidden, c.do("PUT", strings.Replace(storage, "http://", base+"/_soundstage/storage/http/", 1)+"/bucket/o", "x").status, "no open proxy")
	a := c.do("POST", "/v1/uploads", `{"filename":"a","content_type":"b","content_size":3}`, "Accept-Encoding", "gzip")
	want := strings.Replace(signed, "http://", base+"/_soundstage/storage/http/", 1)
	require.Equal(t, want, a.text("upload_url"))
	require.Equal(t, fmt.Sprint(len(a.body)), a.header.Get("Content-Length"))
	require.Contains(t, a.body, `"space_id":"<&>"`, "all other bytes stay")
	require.Equal(t, http.StatusOK, c.do("PUT", a.text("upload_url"), "abc", "Content-Type", "audio/wav", "Authorization", "Bearer own-secret").status)
	require.Equal(t, "/bucket/obj_1234567?X-Amz-Signature=a%2Fb&X-Amz-Date=1", stored.RequestURI)
	require.Equal(t, strings.TrimPrefix(storage, "http://"), stored.Host)
	require.Empty(t, stored.Header.Get("Authorization"))
	require.Equal(t, "abc", string(bytesPut))
	x := k.last(t)
	require.True(t, x.Storage)
	require.Equal(t, "putObject", x.Op)
	require.Equal(t, "/bucket/obj_1234567", x.Path)
	require.Equal(t, "X-Amz-Signature=***&X-Amz-Date=***", x.Query)
	for path, status := range map[string]int{"/_soundstage/storage/": 400, "/_soundstage/storage/ftp/a/b": 400, "/_soundstage/storage/http/169.254.169.254/latest": 403} {
		require.Equal(t, status, c.do("GET", path, "").status, path)
	}

	direct, _ := through(t, to, func(c *proxy.Config) { c.KeepStorageURLs = true })
	require.Equal(t, signed, client{t, direct, "s"}.do("POST", "/v1/uploads", `{}`, "Accept-Encoding", "identity").text("upload_url"))
}

// A redirect of the service to itself leads to the proxy; one to another host stays.
func TestRedirects(t *testing.T) {
	t.Parallel()
	var self string
	self = service(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", map[string]string{"/v1/own": self + "/v1/next?a=1", "/v1/other": "https://example.com/x", "/v1/relative": "/v1/next"}[r.URL.Path])
		w.WriteHeader(http.StatusFound)
	})
	base, _ := through(t, self)
	c := client{t, base, ""}
	require.Equal(t, base+"/v1/next?a=1", c.do("GET", "/v1/own", "").header.Get("Location"))
	require.Equal(t, "https://example.com/x", c.do("GET", "/v1/other", "").header.Get("Location"))
	require.Equal(t, "/v1/next", c.do("GET", "/v1/relative", "").header.Get("Location"))
}

// JSON that is too long to rewrite passes unchanged.
func TestLongJSON(t *testing.T) {
	t.Parallel()
	long := []byte(`{"upload_url":"https://storage.example/o","x":"` + strings.Repeat("x", 2<<20) + `"}`)
	to := service(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(long)
	})
	base, _ := through(t, to)
	require.True(t, bytes.Equal(long, []byte(client{t, base, ""}.do("POST", "/v1/uploads", "{}").body)))
}

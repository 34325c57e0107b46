package backend_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/internal/executable"
)

const key = "sk-test-Zm9v/YmFy+0123456789"

// now is the time of these tests' frozen clock.
var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type clock struct{ engine.Clock }

func (clock) Now() time.Time { return now }

// serve starts a server that answers every request with the same JSON, unless a test breaks it.
func serve(t *testing.T) *backendtest.Server {
	t.Helper()
	var s backendtest.Server
	s.Start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"text":"hello"}`)
	}))
	return &s
}

// client returns a client of a server, with its Config changed by change.
func client(t *testing.T, url string, change ...func(*backend.Config)) *backend.Client {
	t.Helper()
	transport := backend.NewTransport()
	t.Cleanup(transport.CloseIdleConnections)
	c := backend.Config{
		Name: "Test", URL: url, Clock: clock{}, Transport: transport,
		Header: map[string]string{"Authorization": "Bearer " + key, "Xi-Api-Key": key, "X-Version": "2026-01-01"},
	}
	for _, f := range change {
		f(&c)
	}
	made, err := backend.New(c)
	require.NoError(t, err)
	return made
}

// failed returns err as an engine error, and checks that it contains no secret.
func failed(t require.TestingT, err error) *engine.Error {
	e, ok := errors.AsType[*engine.Error](err)
	require.True(t, ok, "%T %v", err, err)
	for _, text := range []string{e.Error(), e.Msg, e.Hint, fmt.Sprintf("%+v %#v", e.Err, e.Msg)} {
		require.NotContains(t, text, key)
	}
	return e
}

// Get sends the request with the URL's own path and query, and decodes the response.
func TestClient(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := client(t, s.URL+"/v1/?api-version=3")
	body, err := backend.JSON(map[string]string{"prompt": "a < b & c"})
	require.NoError(t, err)
	var got struct{ Text string }
	require.NoError(t, c.Get(t.Context(), backend.Request{Path: "/say/a%2Fb", Query: map[string][]string{"tag": {"x y", "z"}}, Body: body}, &got))
	require.Equal(t, "hello", got.Text)
	require.NoError(t, c.Get(t.Context(), backend.Request{Path: "/poll"}, &got))
	require.NoError(t, c.Get(t.Context(), backend.Request{Method: http.MethodPut, Path: "/empty", Body: backend.Bytes("text/plain", nil)}, &got))
	require.Equal(t, "Test", c.Name())

	requests := s.Requests()
	require.Len(t, requests, 3)
	require.Equal(t, "POST /v1/say/a/b?api-version=3&tag=x+y&tag=z", requests[0].Method+" "+requests[0].Path+"?"+requests[0].Query)
	require.Equal(t, `{"prompt":"a < b & c"}`, string(requests[0].Body))
	require.Equal(t, "application/json", requests[0].Header.Get("Content-Type"))
	require.Equal(t, "application/json", requests[0].Header.Get("Accept"))
	require.Equal(t, "Bearer "+key, requests[0].Header.Get("Authorization"))
	require.Equal(t, "GET /v1/poll?api-version=3", requests[1].Method+" "+requests[1].Path+"?"+requests[1].Query)
	require.Equal(t, []string{"PUT", "0"}, []string{requests[2].Method, requests[2].Header.Get("Content-Length")})
}

// Each status has a message, a hint, and a Retryable flag.
func TestStatus(t *testing.T) {
	t.Parallel()
	date := now.Add(90 * time.Second).Format(http.TimeFormat)
	for _, c := range []struct {
		status int
		after  string
		msg    string
		retry  bool
		wait   time.Duration
		hint   string
	}{
		{status: 301, msg: "Test redirected the request, which is not allowed.", hint: "redirects to"},
		{status: 307, msg: "Test redirected the request, which is not allowed.", hint: "redirects to"},
		{status: 400, msg: "Test refused the request."},
		{status: 401, msg: "Test did not accept the key.", hint: "Check the key"},
		{status: 402, msg: "Test requires payment.", hint: "balance"},
		{status: 403, msg: "Test did not accept the key.", hint: "Check the key"},
		{status: 404, msg: "Test does not know the URL or the model.", hint: "Check the URL"},
		{status: 405, msg: "Test does not know the URL or the model.", hint: "Check the URL"},
		{status: 408, msg: "Test could not handle the request now.", retry: true},
		{status: 409, after: "2", msg: "Test could not handle the request now.", retry: true, wait: 2 * time.Second},
		{status: 413, msg: "Test does not accept requests this large."},
		{status: 415, msg: "Test refused the request."},
		{status: 422, msg: "Test refused the request."},
		{status: 423, msg: "Test could not handle the request now.", retry: true},
		{status: 425, msg: "Test could not handle the request now.", retry: true},
		{status: 429, msg: "Test received too many requests.", retry: true},
		{status: 429, after: "7", msg: "Test received too many requests.", retry: true, wait: 7 * time.Second},
		{status: 429, after: "0.25", msg: "Test received too many requests.", retry: true, wait: 250 * time.Millisecond},
		{status: 429, after: date, msg: "Test received too many requests.", retry: true, wait: 90 * time.Second},
		{status: 429, after: "999999999", msg: "Test received too many requests.", retry: true, wait: time.Hour},
		{status: 429, after: "soon", msg: "Test received too many requests.", retry: true},
		{status: 400, after: "7", msg: "Test refused the request."},
		{status: 500, msg: "Test failed.", retry: true},
		{status: 502, msg: "Test failed.", retry: true},
		{status: 503, after: "3", msg: "Test failed.", retry: true, wait: 3 * time.Second},
		{status: 529, msg: "Test failed.", retry: true},
	} {
		t.Run(fmt.Sprint(c.status, " ", c.after), func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.Break(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", "/elsewhere")
				backendtest.Status(c.status, c.after, `{"error":"no\u0000pe"}`)(w, r)
			})
			_, err := client(t, s.URL).Do(t.Context(), backend.Request{Path: "/x", Body: backend.Bytes("text/plain", []byte("hi"))})
			e := failed(t, err)
			require.Equal(t, engine.CodeUnavailable, e.Code)
			require.Equal(t, c.msg, e.Msg)
			require.Equal(t, c.retry, e.Retryable)
			require.Equal(t, c.wait, e.RetryAfter)
			require.Equal(t, c.retry && c.status != 500, e.Outage, "a status that passes with time")
			require.NotEmpty(t, e.Hint)
			require.Contains(t, e.Hint, c.hint)
			require.Equal(t, 1, strings.Count(e.Error(), "Test"), "the name must not be doubled: %v", e)
			require.Contains(t, e.Error(), fmt.Sprintf(`status %d: {"error":"no\u0000pe"}`, c.status))
			require.Len(t, s.Requests(), 1, "the client neither retries nor follows redirects")
		})
	}
}

// A 429 for an exhausted balance is not retryable.
func TestQuota(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.Break(backendtest.Status(429, "1", `{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","code":"insufficient_quota"}}`))
	_, err := client(t, s.URL).Do(t.Context(), backend.Request{Path: "/x"})
	e := failed(t, err)
	require.Equal(t, "Test requires payment.", e.Msg)
	require.False(t, e.Retryable)
}

// A 404 about the model says so. Any other says what the URL looks like. Sources: answers of Ollama 0.17.4 and whisper.cpp 1.9.1.
func TestNotFound(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][2]string{
		`{"error":{"message":"model 'm' not found","type":"api_error","param":null,"code":null}}`: {`The model "m" was not found.`, "Check its name, and that the server has it."},
		"404 page not found":                     {"Test does not know the URL or the model.", "Check the URL, its path, and the model. It ends with /v1."},
		"File Not Found (/audio/transcriptions)": {"Test does not know the URL or the model.", "Check the URL, its path, and the model. It ends with /v1."},
	} {
		s := serve(t)
		s.Break(backendtest.Status(404, "", body))
		_, err := client(t, s.URL, func(c *backend.Config) { c.Model, c.URLHint = "m", "It ends with /v1." }).Do(t.Context(), backend.Request{Path: "/x"})
		e := failed(t, err)
		require.Equal(t, want, [2]string{e.Msg, e.Hint})
	}
}

// faults are invalid responses with status 200.
var faults = []struct {
	name  string
	fault backendtest.Fault
	msg   string
	retry bool
	hint  string
}{
	{"cut off", backendtest.CutOff(`{"text":`), "The response from Test ended early.", true, ""},
	{"cut off before its first byte", backendtest.CutOff(``), "The response from Test ended early.", true, ""},
	{"no response at all", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "Test could not be reached.", true, ""},
	{"garbage up to the limit", backendtest.Garbage(1 << 20), "The response from Test could not be parsed.", true, ""},
	{"garbage one byte beyond the limit", backendtest.Garbage(1<<20 + 1), "The response from Test is longer than 1 MiB.", false, ""},
	{"a page", backendtest.Answer("text/html; charset=utf-8", "<html>"), "The response from Test could not be parsed.", true, "It is text/html, not JSON: check the URL."},
	{"a type with the key", backendtest.Answer("text/"+strings.ReplaceAll(key, "/", "%2F"), ""), "The response from Test could not be parsed.", true, ""},
	{"nothing", backendtest.Answer("application/json", ""), "The response from Test could not be parsed.", true, ""},
	{"another shape", backendtest.Answer("application/json", `{"text":[]}`), "The response from Test could not be parsed.", true, ""},
	{"two values", backendtest.Answer("application/json", `{"text":""} {}`), "The response from Test could not be parsed.", true, ""},
	{"deep", backendtest.Answer("application/json", strings.Repeat("[", 100_000)), "The response from Test could not be parsed.", true, ""},
}

// An invalid response is an error with its own message. All but a response that is too long are retryable.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.Break(c.fault)
			var got struct{ Text string }
			err := client(t, s.URL, func(c *backend.Config) { c.MaxAnswer = 1 << 20 }).
				Get(t.Context(), backend.Request{Path: "/x", Body: backend.Bytes("text/plain", []byte("hi"))}, &got)
			e := failed(t, err)
			require.Equal(t, engine.CodeUnavailable, e.Code)
			require.Equal(t, c.msg, e.Msg)
			require.Equal(t, c.retry, e.Retryable)
			if c.hint != "" {
				require.Equal(t, c.hint, e.Hint)
			}
		})
	}
}

// By default, a Client reads 64 MiB and doesn't wait for more.
func TestGarbage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.Break(backendtest.Garbage(64<<20+1), nil)
	_, err := client(t, s.URL).Do(t.Context(), backend.Request{Path: "/x"})
	require.Equal(t, "The response from Test is longer than 64 MiB.", failed(t, err).Msg)
}

// A server's error text is logged as one short line without the key, however it is escaped. The user's message contains none of it.
func TestEcho(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{
		"as it is":             `{"error":"wrong key ` + key + `"}`,
		"escaped":              `{"error":"wrong key ` + strings.ReplaceAll(key, "/", `\/`) + `"}`,
		"by code points":       `{"error":"wrong key ` + strings.Replace(key, "s", `\u0073`, 1) + `"}`,
		"of a query":           `{"error":"wrong key sk-test-Zm9v%2FYmFy%2B0123456789"}`,
		"in base64":            `{"error":"wrong key c2stdGVzdC1abTl2L1ltRnkrMDEyMzQ1Njc4OQ=="}`,
		"with a zero in it":    `{"error":"wrong key ` + key[:5] + "\x00" + key[5:] + `"}`,
		"where a line ends":    strings.Repeat("x", 490) + "wrong key " + key,
		"where reading ends":   "wrong key" + strings.Repeat(" ", 64<<10-20) + key,
		"the first part of it": "wrong key" + strings.Repeat(" ", 64<<10-9-20) + key,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.Break(backendtest.Status(401, "", said))
			_, err := client(t, s.URL).Do(t.Context(), backend.Request{Path: "/x"})
			e := failed(t, err)
			text := e.Error()
			require.Regexp(t, "wrong key|x{400}", text)
			for _, part := range []string{key[:12], key[12:], "Zm9v", "YmFy", "c2stdGVzd"} {
				require.NotContains(t, text, part)
			}
			require.NotContains(t, e.Msg+e.Hint, "wrong")
			require.Less(t, len(text), 650)
			require.NotContains(t, text, "\n")
		})
	}
}

// No error contains a key that the server echoes in its status line, in any header, or from the URL's query.
func TestEchoInProtocol(t *testing.T) {
	t.Parallel()
	url := raw(t, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 "+key+"\r\n\r\n") })
	_, err := client(t, url).Do(t.Context(), backend.Request{Path: "/x"})
	e := failed(t, err)
	require.Equal(t, "Test could not be reached.", e.Msg)
	require.Contains(t, e.Error(), backend.Secret)

	url = raw(t, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 400 Oh\r\n\r\nwrong pass-"+key[:12]) })
	_, err = client(t, url, func(c *backend.Config) { c.Header = map[string]string{"X-Odd": "pass-" + key[:12]} }).Do(t.Context(), backend.Request{Path: "/x"})
	require.Contains(t, failed(t, err).Error(), "wrong "+backend.Secret)

	url = raw(t, func(net.Conn) {})
	_, err = client(t, url+"?api_key="+key[:8]).Do(t.Context(), backend.Request{Path: "/x"})
	require.NotContains(t, failed(t, err).Error(), key[:8])
}

// raw listens, and calls fn with each connection after it has read the headers of a request.
func raw(t *testing.T, fn func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	t.Cleanup(func() { _ = l.Close(); <-done })
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 4096))
			fn(c)
			_ = c.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

// A response that takes longer than Timeout is a retryable error, before its headers and within its body.
func TestTimeout(t *testing.T) {
	t.Parallel()
	slow := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"text":`)
		_ = http.NewResponseController(w).Flush()
		backendtest.Silent(time.Minute)(w, r)
	}
	for name, fault := range map[string]backendtest.Fault{"silent": backendtest.Silent(time.Minute), "slow": slow} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.Break(fault)
			_, err := client(t, s.URL, func(c *backend.Config) { c.Timeout = 300 * time.Millisecond }).Do(t.Context(), backend.Request{Path: "/x"})
			e := failed(t, err)
			require.Equal(t, engine.CodeUnavailable, e.Code)
			require.Equal(t, "Test did not answer in time.", e.Msg)
			require.True(t, e.Retryable)
		})
	}
}

// A canceled exchange ends immediately with CodeCanceled and the cause, at any point.
func TestCanceled(t *testing.T) {
	t.Parallel()
	cause := errors.New("the user went away")
	for name, begin := range map[string]string{"before the response": "", "in a response": "HTTP/1.1 200 OK\r\n\r\n{", "in an error": "HTTP/1.1 500 Oh\r\n\r\n{"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			url := raw(t, func(c net.Conn) {
				_, _ = io.WriteString(c, begin)
				if begin == "" {
					cancel(cause)
				} else {
					time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
				}
				_, _ = c.Read(make([]byte, 1)) // until the client closes the connection
			})
			_, err := client(t, url).Do(ctx, backend.Request{Path: "/x"})
			e := failed(t, err)
			require.Equal(t, engine.CodeCanceled, e.Code)
			require.ErrorIs(t, err, cause)
			require.ErrorIs(t, err, context.Canceled)
			require.False(t, e.Retryable)
		})
	}
	t.Run("by a deadline", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
		defer cancel()
		_, err := client(t, serve(t).URL).Do(ctx, backend.Request{Path: "/x"})
		require.Equal(t, engine.CodeCanceled, failed(t, err).Code)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The error for an unreachable server has a hint. All but a wrong certificate are retryable.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	closed := "http://127.0.0.1:" + executable.Port(t)
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	dials := func(err error) func(*backend.Config) {
		return func(c *backend.Config) {
			transport := backend.NewTransport()
			transport.DialContext = func(context.Context, string, string) (net.Conn, error) { return nil, err }
			c.Transport = transport
		}
	}
	ours := engine.Errorf(engine.CodeNotFound, "Open", "The blob is gone.")
	for _, c := range []struct {
		name, url string
		change    func(*backend.Config)
		code      engine.Code
		msg, hint string
		retry     bool
	}{
		{"nothing listens", closed, nil, engine.CodeUnavailable, "Test could not be reached.", "Nothing listens there", true},
		{"its name is unknown", "http://nowhere.invalid", dials(&net.DNSError{IsNotFound: true, Name: "nowhere.invalid"}), engine.CodeUnavailable, "Test could not be reached.", "The host was not found", true},
		{"the name server fails", "http://nowhere.invalid", dials(&net.DNSError{IsTemporary: true}), engine.CodeUnavailable, "Test could not be reached.", "server's log", true},
		{"the connection takes too long", closed, dials(&net.OpError{Op: "dial", Err: syscall.ETIMEDOUT}), engine.CodeUnavailable, "Test could not be reached.", "check that the machine runs", true},
		{"its certificate is untrusted", secure.URL, nil, engine.CodeUnavailable, "Test could not be reached.", "certificate", false},
		{"it doesn't use TLS", strings.Replace(serve(t).URL, "http:", "https:", 1), nil, engine.CodeUnavailable, "Test could not be reached.", "certificate", false},
		{"an engine error", closed, func(c *backend.Config) {
			c.Transport = roundTrip(func(*http.Request) (*http.Response, error) { return nil, ours })
		}, engine.CodeNotFound, ours.Msg, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			change := func(*backend.Config) {}
			if c.change != nil {
				change = c.change
			}
			_, err := client(t, c.url, change).Do(t.Context(), backend.Request{Path: "/x"})
			e := failed(t, err)
			require.Equal(t, c.code, e.Code)
			require.Equal(t, c.msg, e.Msg)
			require.Contains(t, e.Hint, c.hint)
			require.Equal(t, c.hint == "", e.Hint == "")
			require.Equal(t, c.retry, e.Retryable)
			require.Equal(t, c.retry, e.Outage)
		})
	}
}

// An engine error of a request's or response's body is returned unchanged.
func TestBodyFails(t *testing.T) {
	t.Parallel()
	ours := engine.Errorf(engine.CodeNotFound, "Open", "The blob is gone.")
	s := serve(t)
	c := client(t, s.URL)
	_, err := c.Do(t.Context(), backend.Request{Path: "/x", Body: &backend.Body{Size: 5, Open: func() (io.ReadCloser, error) { return nil, ours }}})
	require.Equal(t, ours, failed(t, err))
	_, err = c.Do(t.Context(), backend.Request{Path: "/x", Body: &backend.Body{Size: 5, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader("ab"), failing{ours})), nil
	}}})
	require.Equal(t, ours, failed(t, err))
	c = client(t, s.URL, func(c *backend.Config) {
		c.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(failing{ours})}, nil
		})
	})
	_, err = c.Do(t.Context(), backend.Request{Path: "/x"})
	require.Equal(t, ours, failed(t, err))
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// New refuses an invalid Config, with a message that contains no password.
func TestNew(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"", "127.0.0.1:8080", "ftp://host", "http://", "http://host/#part", "http://[::1", "http://user:" + key + "@host",
		"user:" + key + "@host", "http://user:a@" + key + "@ho st", "http://ho st/?key=" + key, "localhost?token=" + key,
	} {
		_, err := backend.New(backend.Config{Name: "Test", URL: url})
		e := failed(t, err)
		require.Equal(t, engine.CodeInvalid, e.Code, url)
		require.NotEmpty(t, e.Hint)
	}
	for _, value := range []string{"a\nb", "a\r", "a\x00", "a\x7f", "a\tb"} {
		_, err := backend.New(backend.Config{Name: "Test", URL: "http://host", Header: map[string]string{"X-Key": value + key}})
		require.Equal(t, engine.CodeInvalid, failed(t, err).Code, "%q", value)
	}
	for _, url := range []string{"http://host", "https://host:80/v1/", "http://[::1]:80?a=b"} {
		_, err := backend.New(backend.Config{Name: "Test", URL: url})
		require.NoError(t, err)
	}
}

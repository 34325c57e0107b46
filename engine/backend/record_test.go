package backend_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/golden"
)

// recorder returns a Recorder with its own folder.
func recorder(t *testing.T, change ...func(*backend.RecorderConfig)) (r *backend.Recorder, dir string) {
	t.Helper()
	transport := backend.NewTransport()
	t.Cleanup(transport.CloseIdleConnections)
	c := backend.RecorderConfig{Dir: filepath.Join(t.TempDir(), "exchanges"), Next: transport}
	for _, f := range change {
		f(&c)
	}
	r, err := backend.NewRecorder(c)
	require.NoError(t, err)
	return r, c.Dir
}

// through returns a change of Config that sets the transport.
func through(transport http.RoundTripper) func(*backend.Config) {
	return func(c *backend.Config) { c.Transport = transport }
}

// answers returns a transport that always returns the same response.
func answers(status int, contentType, body string) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			_, _ = io.Copy(io.Discard, r.Body)
			_ = r.Body.Close()
		}
		header := http.Header{"Content-Type": {contentType}, "Retry-After": {"2"}, "Set-Cookie": {"session=" + key}, "Date": {"today"}}
		return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	})
}

// A recording consists of these files: readable, in order, and without a host or a secret.
func TestGolden(t *testing.T) {
	t.Parallel()
	const host = "https://api.example.com/v1"
	dir := t.TempDir()
	at := func(status int, contentType, body string) *backend.Client {
		return client(t, host, through(must(backend.NewRecorder(backend.RecorderConfig{
			Dir: dir, Next: answers(status, contentType, body), Secrets: []string{"webhook-secret-1"}, Append: true,
		}))(t)))
	}
	form := must(backend.Form([]backend.Field{{"model", "whisper-1"}, {"language", "en"}}, audio([]byte("RIFF\x00\xff"))))(t)
	_, err := at(200, "application/json", `{"text":"Hi <b>.","words":[]}`).Do(t.Context(), backend.Request{Path: "/audio/transcriptions", Body: form})
	require.NoError(t, err)
	ask := must(backend.JSON(map[string]any{"z": 1.50, "messages": []string{"Tell < " + key}, "hook": "webhook-secret-1"}))(t)
	_, err = at(429, "application/json", "{\n  \"error\": \"no more for "+key+"\"\n}\n").Do(t.Context(), backend.Request{Path: "/chat/completions", Body: ask})
	require.Error(t, err)
	_, err = at(200, "text/plain", "a\nb \u2028").Do(t.Context(), backend.Request{Path: "/jobs/1", Query: map[string][]string{"tag": {"b", "a"}, "api_key": {key}}})
	require.NoError(t, err)
	_, err = at(200, "application/octet-stream", "\xff\x00").Do(t.Context(), backend.Request{Method: "PUT", Path: "/raw", Body: backend.Bytes("audio/wav", []byte("RIFF"))})
	require.NoError(t, err)

	names := files(t, dir)
	require.Len(t, names, 4)
	kept := filepath.Join("testdata", "exchanges")
	if golden.Update() {
		require.NoError(t, os.RemoveAll(kept))
		require.NoError(t, os.CopyFS(kept, os.DirFS(dir)))
	}
	require.Equal(t, files(t, kept), names)
	for _, name := range names {
		require.Equal(t, read(t, kept, name), read(t, dir, name), name)
	}
}

// must fails the test if err is not nil, and otherwise returns v.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		require.NoError(t, err)
		return v
	}
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(b)
}

// bodies are responses of every layout, and of none.
var bodies = []string{
	"", "{}", "[]\n", "null", "null\n", `{"b":1,"a":[1.0,1e5,"\u00e9é\/<&>"]}`, "{\n  \"a\": [\n    1\n  ],\n  \"e\": {}\n}", "{\n  \"a\": 1\n}\n",
	`{"a": 1, "b": NaN}`, "{\n    \"a\": 1\n}", " 1", "\xef\xbb\xbf{}", "1\n00:00:00 --> 00:00:01\nhi\n", "\xff\xfe\x00", "[\"\xff\"]", "\u2028\"\\", `{"a":1,"a":2}`,
	strings.Repeat("long ", 100_000),
}

// A client gets from the folder exactly what it got from the server: without the server, from another host, in another
// order, and concurrently.
func TestReplay(t *testing.T) {
	t.Parallel()
	var s backendtest.Server
	s.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		_, _ = fmt.Sscanf(r.URL.Path, "/v1/%d", &n)
		w.Header().Set("Content-Type", "application/json; n="+r.URL.Path[4:])
		w.WriteHeader(200 + n%3)
		_, _ = io.WriteString(w, bodies[n%len(bodies)])
	}))
	request := func(n int) backend.Request {
		form, err := backend.Form([]backend.Field{{"model", "m"}, {"n", fmt.Sprint(n)}}, audio(fmt.Append(nil, "RIFF", n)))
		require.NoError(t, err)
		ask, err := backend.JSON(map[string]any{"n": n, "text": "hello"})
		require.NoError(t, err)
		return backend.Request{Path: fmt.Sprint("/", n), Body: []*backend.Body{form, ask, nil, backend.Bytes("audio/wav", fmt.Append(nil, n))}[n%4]}
	}
	type answer struct {
		status     int
		kind, body string
	}
	ask := func(c *backend.Client, order []int) []answer {
		got := make([]answer, len(order))
		var wait sync.WaitGroup
		for _, n := range order {
			wait.Go(func() {
				a, err := c.Do(context.Background(), request(n))
				if err != nil {
					t.Error(err)
				}
				got[n] = answer{a.Status, a.Header.Get("Content-Type"), string(a.Body)}
			})
		}
		wait.Wait()
		return got
	}
	r, dir := recorder(t)
	order := rand.New(rand.NewPCG(3, 4)).Perm(2 * len(bodies))
	want := ask(client(t, s.URL+"/v1", through(r)), order)
	require.Len(t, s.Requests(), len(order))
	require.Len(t, files(t, dir), len(order))
	for i, a := range want {
		require.Equal(t, answer{200 + i%3, fmt.Sprint("application/json; n=", i), bodies[i%len(bodies)]}, a)
	}

	p := must(backend.NewPlayer(dir))(t)
	replayed := client(t, "https://elsewhere.invalid/v1", through(p), func(c *backend.Config) {
		c.Header = map[string]string{"X-Api-Key": "another", "X-Version": "2026-01-01"}
	})
	for range 2 {
		require.Equal(t, want, ask(replayed, rand.New(rand.NewPCG(5, 6)).Perm(len(order))))
	}
	require.Len(t, s.Requests(), len(order))
}

// A repeated request gets its recorded responses in order, and then the last one, so polling ends as it did.
func TestReplayPolls(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.Break(backendtest.Answer("application/json", `{"status":"queued"}`), backendtest.Status(503, "9", "{}"), backendtest.Answer("application/json", `{"status":"done"}`))
	r, dir := recorder(t)
	poll := func(c *backend.Client) string {
		a, err := c.Do(t.Context(), backend.Request{Path: "/jobs/1"})
		if err != nil {
			return failed(t, err).RetryAfter.String()
		}
		return string(a.Body)
	}
	recorded := client(t, s.URL, through(r))
	want := []string{poll(recorded), poll(recorded), poll(recorded)}
	require.Equal(t, []string{`{"status":"queued"}`, "9s", `{"status":"done"}`}, want)
	replayed := client(t, "http://other", through(must(backend.NewPlayer(dir))(t)))
	require.Equal(t, append(want, want[2], want[2]), []string{poll(replayed), poll(replayed), poll(replayed), poll(replayed), poll(replayed)})
}

// A replayed failure has the same message, hint, and wait.
func TestReplayFaults(t *testing.T) {
	t.Parallel()
	closed := "http://127.0.0.1:" + executable.Port(t)
	cases := map[string]struct {
		fault backendtest.Fault
		url   string
		fails error // when dialling
	}{
		"nothing listens": {url: closed},
		"unknown host":    {fails: &net.DNSError{Err: "no such host", Name: "internal.corp", IsNotFound: true}},
		"no encryption":   {url: "https"},
		"silent":          {fault: backendtest.Silent(time.Minute)},
		"key refused":     {fault: backendtest.Status(401, "", `{"error":"`+key+`"}`)},
		"too often":       {fault: backendtest.Status(429, "7", `{}`)},
		"redirected":      {fault: backendtest.Status(302, "", ``)},
		"cut off in an error": {fault: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			w.WriteHeader(500)
			panic(http.ErrAbortHandler)
		}},
	}
	for _, f := range faults {
		c := cases[f.name]
		c.fault = f.fault
		cases[f.name] = c
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.Break(c.fault)
			url := s.URL
			switch c.url {
			case "":
			case "https":
				url = strings.Replace(url, "http:", "https:", 1)
			default:
				url = c.url
			}
			transport := backend.NewTransport()
			t.Cleanup(transport.CloseIdleConnections)
			if c.fails != nil {
				transport.DialContext = func(context.Context, string, string) (net.Conn, error) { return nil, c.fails }
			}
			r, dir := recorder(t, func(c *backend.RecorderConfig) { c.MaxAnswer, c.Next = 1<<20, transport })
			limits := func(c *backend.Config) { c.MaxAnswer, c.Timeout = 1<<20, 200*time.Millisecond }
			var v struct{ Text string }
			ask := func(change func(*backend.Config)) engine.Error {
				err := client(t, url, change, limits).Get(t.Context(), backend.Request{Path: "/x", Body: backend.Bytes("audio/wav", []byte("hi"))}, &v)
				e := *failed(t, err)
				e.Err = nil
				return e
			}
			want := ask(through(r))
			require.Len(t, files(t, dir), 1)
			kept := read(t, dir, files(t, dir)[0])
			require.Less(t, len(kept), 4<<20)
			require.NotContains(t, kept, "127.0.0.1")
			require.NotContains(t, kept, "internal.corp")
			require.NotContains(t, kept, key)
			p := must(backend.NewPlayer(dir))(t)
			require.Equal(t, want, ask(through(p)))
			require.Equal(t, want, ask(through(p)))
		})
	}
}

// No file contains a secret, wherever it was sent or echoed. A request with another secret gets the same response.
func TestRecordSecrets(t *testing.T) {
	t.Parallel()
	const given = "given/secret+2"
	form := func(secret string) *backend.Body {
		f := audio([]byte("RIFF" + secret))
		f.Name = secret + ".wav"
		return must(backend.Form([]backend.Field{{"token", secret}, {secret, "x"}}, f))(t)
	}
	ask := func(secret string) *backend.Body {
		return must(backend.JSON(map[string]any{"auth": "Bearer " + secret + "!", secret: 1}))(t)
	}
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+key))
	for name, c := range map[string]struct {
		header  map[string]string
		request func(secret string) backend.Request
		says    string
		alone   bool // another secret makes another request: field names are compared literally
	}{
		"headers": {map[string]string{"Authorization": "Token " + key, "X-Api-Key": key, "Api-Key": key, "Xi-Api-Key": key, "Cookie": "s=" + key, "Ocp-Subscription": key, "Accept-Version": "v " + given},
			func(string) backend.Request { return backend.Request{Path: "/x"} }, `{}`, false},
		"basic": {map[string]string{"Authorization": basic}, func(string) backend.Request { return backend.Request{Path: "/x"} }, `"` + key + " " + basic[6:] + `"`, false},
		"path": {nil, func(s string) backend.Request {
			return backend.Request{Path: "/x/" + strings.ReplaceAll(s, "/", "%2F")}
		}, ``, false},
		"query": {nil, func(s string) backend.Request {
			return backend.Request{Path: "/x", Query: map[string][]string{"q": {"a " + s}, "access_token": {"short"}}}
		}, ``, false},
		"JSON": {nil, func(s string) backend.Request { return backend.Request{Path: "/x", Body: ask(s)} }, ``, true},
		"form": {nil, func(s string) backend.Request { return backend.Request{Path: "/x", Body: form(s)} }, ``, true},
		"raw": {nil, func(s string) backend.Request {
			return backend.Request{Path: "/x", Body: backend.Bytes("a/b", []byte(s))}
		}, ``, true},
		"answer": {nil, func(string) backend.Request { return backend.Request{Path: "/x"} }, `{"a":"` + given + `","b":"given\/secret\u002b2","c":["` + key + `"]}`, false},
		"text":   {nil, func(string) backend.Request { return backend.Request{Path: "/x"} }, "it is " + given + ` "given\/secret+2`, false},
		"bytes":  {nil, func(string) backend.Request { return backend.Request{Path: "/x"} }, "\xff" + given, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			header := c.header
			if header == nil {
				header = map[string]string{"Authorization": "Bearer " + key}
			}
			header["X-Api-Key"] = key
			r, dir := recorder(t, func(r *backend.RecorderConfig) {
				r.Secrets, r.Next = []string{given}, answers(200, "application/json; key="+given, c.says)
			})
			a, err := client(t, "http://host", through(r), func(c *backend.Config) { c.Header = header }).Do(t.Context(), c.request(given))
			require.NoError(t, err)
			require.Equal(t, c.says, string(a.Body), "the client gets the original response")
			for _, name := range files(t, dir) {
				text := name + read(t, dir, name)
				for _, secret := range []string{key, given, "Zm9v", "given/", "given%2F", "secret+2", "secret%2B2", "secret\\u002b2", "short", basic[6:],
					base64.StdEncoding.EncodeToString([]byte(given)), base64.StdEncoding.EncodeToString([]byte("\xff" + given))} {
					require.NotContains(t, text, secret)
				}
			}
			p := must(backend.NewPlayer(dir, given))(t)
			_, err = client(t, "http://host", through(p), func(c *backend.Config) { c.Header = header }).Do(t.Context(), c.request(given))
			require.NoError(t, err)
			other := client(t, "http://host", through(must(backend.NewPlayer(dir))(t)), func(c *backend.Config) {
				delete(header, "Authorization")
				c.Header = header
			})
			_, err = other.Do(t.Context(), c.request("another secret"))
			require.Equal(t, c.alone, err != nil, "%v", err)
		})
	}
}

// A short key stays in responses. An all-digit key is masked, even if that makes JSON invalid.
func TestRecordOddSecrets(t *testing.T) {
	t.Parallel()
	for secret, c := range map[string]struct{ says, want string }{
		"EMPTY":       {`{"text":"EMPTY"}`, `{"text":"EMPTY"}`},
		"ollama":      {`{"by":"ollama"}`, `{"by":"ollama"}`},
		"12345678901": {`{"n":12345678901}`, `{"n":[secret]}`},
	} {
		r, dir := recorder(t, func(r *backend.RecorderConfig) { r.Next = answers(200, "application/json", c.says) })
		ask := func(transport http.RoundTripper) string {
			body := must(backend.JSON(map[string]any{"model": secret, "n": 12345678901}))(t)
			a, err := client(t, "http://host", through(transport), func(c *backend.Config) {
				c.Header = map[string]string{"Authorization": "Bearer " + secret}
			}).Do(t.Context(), backend.Request{Path: "/x", Body: body})
			require.NoError(t, err)
			return string(a.Body)
		}
		require.Equal(t, c.says, ask(r))
		require.Equal(t, c.want, ask(must(backend.NewPlayer(dir))(t)))
	}
}

// Canceled exchanges, and those whose request body can't be read, are not recorded.
func TestRecordCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t)
	s.Break(func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	r, dir := recorder(t)
	c := client(t, s.URL, through(r))
	_, err := c.Do(ctx, backend.Request{Path: "/x"})
	require.Equal(t, engine.CodeCanceled, failed(t, err).Code)
	ours := engine.Errorf(engine.CodeNotFound, "Open", "The blob is gone.")
	for _, b := range []*backend.Body{
		{Size: 5, Open: func() (io.ReadCloser, error) { return nil, ours }},
		{Size: 5, Open: func() (io.ReadCloser, error) { return io.NopCloser(failing{ours}), nil }},
		{Size: 5, Type: "application/json", Open: func() (io.ReadCloser, error) { return io.NopCloser(failing{ours}), nil }},
	} {
		_, err = c.Do(t.Context(), backend.Request{Path: "/x", Body: b})
		require.Equal(t, ours, failed(t, err))
	}
	require.Empty(t, files(t, dir))

	once, err := http.NewRequest(http.MethodPost, s.URL, io.NopCloser(bytes.NewReader([]byte("x"))))
	require.NoError(t, err)
	_, err = r.RoundTrip(once)
	require.Equal(t, engine.CodeInternal, failed(t, err).Code)
}

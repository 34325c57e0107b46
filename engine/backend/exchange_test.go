package backend_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/soundstage-dev/soundstage/engine/backend"
)

// drawRequests draws a random request, and a copy with one change.
func drawRequests(t *rapid.T) (request, changed backend.Request) {
	text := rapid.StringMatching(`[a-zäß€ "\\/<\n]{0,20}`)
	path := "/" + rapid.StringMatching(`[a-z]{1,5}`).Draw(t, "path")
	query := map[string][]string{}
	for range rapid.IntRange(0, 2).Draw(t, "parameters") {
		name := rapid.StringMatching(`q[a-z]{1,3}`).Draw(t, "name")
		query[name] = append(query[name], text.Draw(t, "value"))
	}
	what := rapid.SampledFrom([]string{"path", "query", "body"}).Draw(t, "what")
	bodies := func(odd string) *backend.Body { return nil }
	switch rapid.SampledFrom([]string{"none", "json", "form", "raw"}).Draw(t, "kind") {
	case "none":
		if what == "body" {
			what = "query"
		}
	case "json":
		v := rapid.MapOf(text, rapid.OneOf(rapid.Map(text, any2), rapid.Map(rapid.Float64Range(-9, 9), any2), rapid.Map(rapid.SliceOf(rapid.Bool()), any2))).Draw(t, "JSON")
		bodies = func(odd string) *backend.Body {
			b, err := backend.JSON(map[string]any{"v": v, "odd": odd})
			require.NoError(t, err)
			return b
		}
	case "form":
		value, noise := text.Draw(t, "value"), rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "file")
		file := rapid.Bool().Draw(t, "change the file")
		bodies = func(odd string) *backend.Body {
			fields, sent := []backend.Field{{Name: "a", Value: value}, {Name: "b", Value: odd}}, noise
			if file {
				fields[1].Value, sent = "", append([]byte(odd), noise...)
			}
			b, err := backend.Form(fields, audio(sent))
			require.NoError(t, err)
			return b
		}
	case "raw":
		noise := rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "raw")
		bodies = func(odd string) *backend.Body {
			return backend.Bytes("application/octet-stream", append([]byte(odd), noise...))
		}
	}
	request = backend.Request{Path: path, Query: query, Body: bodies("")}
	changed = request
	switch what {
	case "path":
		changed.Path += "x"
	case "query":
		changed.Query = map[string][]string{"odd": {"x"}}
		for name, values := range query {
			changed.Query[name] = values
		}
	case "body":
		changed.Body = bodies("x")
	}
	if request.Body == nil {
		request.Method, changed.Method = http.MethodPost, http.MethodPost
	}
	return request, changed
}

func any2[T any](v T) any { return v }

// A Player finds each recorded request with its exact response, in any order. A changed request is unknown.
func TestRecordProperties(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		folder := filepath.Join(dir, fmt.Sprint(run))
		said := map[string]string{}
		transport := roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(said[r.Header.Get("X-Number")])), Request: r}, nil
		})
		recording, err := backend.NewRecorder(backend.RecorderConfig{Dir: folder, Next: transport})
		require.NoError(rt, err)
		number := ""
		through := func(next http.RoundTripper) *backend.Client {
			c, err := backend.New(backend.Config{Name: "Test", URL: "http://host/v1", Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				r.Header.Set("X-Number", number)
				return next.RoundTrip(r)
			})})
			require.NoError(rt, err)
			return c
		}
		n := rapid.IntRange(1, 4).Draw(rt, "requests")
		requests, changed := make([]backend.Request, n), make([]backend.Request, n)
		for i := range n {
			requests[i], changed[i] = drawRequests(rt)
			// Requests must differ: equal ones get their responses in order, and a changed one must not equal another.
			requests[i].Path, changed[i].Path = fmt.Sprint(requests[i].Path, "/", i), fmt.Sprint(changed[i].Path, "/", i)
			number = fmt.Sprint(i)
			said[number] = string(rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Map(rapid.SampledFrom(bodies), func(s string) []byte { return []byte(s) })).Draw(rt, "answer"))
			_, err := through(recording).Do(t.Context(), requests[i])
			require.NoError(rt, err)
		}
		p, err := backend.NewPlayer(folder)
		require.NoError(rt, err)
		for _, i := range rapid.Permutation(indexes(n)).Draw(rt, "order") {
			a, err := through(p).Do(t.Context(), requests[i])
			require.NoError(rt, err)
			require.Equal(rt, said[fmt.Sprint(i)], string(a.Body))
			_, err = through(p).Do(t.Context(), changed[i])
			require.Error(rt, err)
			require.Contains(rt, err.Error(), "No answer to ")
		}
		require.NoError(rt, os.RemoveAll(folder))
	})
}

func indexes(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// A large body is streamed: only its length and hash are recorded and held. The test is not parallel, because it measures
// the allocations of the process.
func TestRecordLarge(t *testing.T) {
	const size = 64 << 20
	hash := sha256.New()
	_, err := io.CopyN(hash, zeros{}, size)
	require.NoError(t, err)
	sum := hex.EncodeToString(hash.Sum(nil))
	open := func() (io.ReadCloser, error) { return io.NopCloser(io.LimitReader(zeros{}, size)), nil }
	form := must(backend.Form([]backend.Field{{"model", "m"}}, backend.File{Field: "file", Name: "a.wav", Type: "audio/wav", Size: size, Open: open}))(t)
	rawBody := &backend.Body{Type: "audio/wav", Size: size, Open: open}
	r, dir := recorder(t, func(c *backend.RecorderConfig) { c.Next = answers(200, "text/plain", "hello") })

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, body := range []*backend.Body{form, rawBody} {
		_, err := client(t, "http://host", through(r)).Do(t.Context(), backend.Request{Path: "/x", Body: body})
		require.NoError(t, err)
	}
	p := must(backend.NewPlayer(dir))(t)
	_, err = client(t, "http://host", through(p)).Do(t.Context(), backend.Request{Path: "/x", Body: rawBody})
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20))
	for _, name := range files(t, dir) {
		require.Contains(t, read(t, dir, name), fmt.Sprintf("\"size\": %d,\n", size))
		require.Contains(t, read(t, dir, name), sum)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// JSON beyond the limit, long fields, and binary fields are kept as hashes. Invalid JSON is kept as a hash too.
func TestRecordHashes(t *testing.T) {
	t.Parallel()
	r, dir := recorder(t, func(c *backend.RecorderConfig) { c.Next = answers(200, "text/plain", "hello") })
	ask := func(next http.RoundTripper, body *backend.Body) {
		_, err := client(t, "http://host", through(next)).Do(t.Context(), backend.Request{Path: "/x", Body: body})
		require.NoError(t, err)
	}
	sent := []*backend.Body{
		backend.Bytes("application/json", []byte(`"`+strings.Repeat("x", 16<<20)+`"`)),
		backend.Bytes("application/json", []byte(`{"a":NaN}`)),
		backend.Bytes("application/json", []byte("\"\xff\"")),
		backend.Bytes("no type", []byte("{}")),
		must(backend.Form([]backend.Field{{"a", strings.Repeat("x", 1<<20+1)}, {"b", "\xff"}}, audio(nil)))(t),
	}
	for _, body := range sent {
		ask(r, body)
	}
	for _, name := range files(t, dir) {
		text := read(t, dir, name)
		require.Contains(t, text, `"sha256"`)
		require.Less(t, len(text), 2000)
	}
	p := must(backend.NewPlayer(dir))(t)
	for _, body := range sent {
		ask(p, body)
	}
}

// Invalid UTF-8 in a URL or in a form's names is found again, though JSON can't express it.
func TestRecordNoText(t *testing.T) {
	t.Parallel()
	r, dir := recorder(t, func(c *backend.RecorderConfig) { c.Next = answers(200, "text/plain", "hello") })
	file := audio([]byte("RIFF"))
	file.Name = "a\xff.wav"
	request := backend.Request{
		Path: "/x%ff", Query: map[string][]string{"q\xfe": {"a\xffb"}},
		Body: must(backend.Form([]backend.Field{{"n\xff", "v"}}, file))(t),
	}
	_, err := client(t, "http://host", through(r)).Do(t.Context(), request)
	require.NoError(t, err)
	_, err = client(t, "http://host", through(must(backend.NewPlayer(dir))(t))).Do(t.Context(), request)
	require.NoError(t, err)
}

// An invalid form is an error of the request, and nothing is recorded.
func TestRecordBrokenForms(t *testing.T) {
	t.Parallel()
	r, dir := recorder(t, func(c *backend.RecorderConfig) { c.Next = answers(200, "text/plain", "hello") })
	for _, body := range []string{"--b\r\n\r\nhalf", strings.Repeat("--b\r\n\r\nx\r\n", 1001) + "--b--"} {
		_, err := client(t, "http://host", through(r)).Do(t.Context(), backend.Request{
			Path: "/x", Body: &backend.Body{Type: "multipart/form-data; boundary=b", Size: 100, Open: func() (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(body)), nil
			}},
		})
		require.Error(t, err, body)
	}
	require.Empty(t, files(t, dir))
}

// A recorded value matches a request's value; its secrets match anything.
func TestAgrees(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		recorded, asked string
		want            bool
	}{
		{"a", "a", true}, {"a", "b", false}, {"", "", true},
		{"[secret]", "", true}, {"[secret]", "x", true}, {"Bearer [secret]!", "Bearer x!", true}, {"Bearer [secret]!", "Bearer x", false},
		{"a[secret]a", "a", false}, {"a[secret]b[secret]c", "axbxc", true}, {"a[secret]b[secret]c", "axc", false}, {"a[secret]b[secret]b", "ab", false},
		{"[secret]", "[secret]", true}, {"x", "[secret]", false},
	} {
		require.Equal(t, c.want, backend.Agrees(c.recorded, c.asked), c)
	}
}

// decodeExchange never panics, and what it reads survives a round trip.
func FuzzDecodeExchange(f *testing.F) {
	names, err := filepath.Glob("testdata/exchanges/*.json")
	require.NoError(f, err)
	require.NotEmpty(f, names)
	for _, name := range names {
		b, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(b)
	}
	f.Add([]byte(`{"version":1,"kind":"command","request":{"program":"p","args":["a"]},"response":{"status":1,"body":{"text":"x"}}}`))
	f.Add([]byte(`{"version":1,"kind":"http","request":{"method":"GET","path":"/"},"response":{"status":0,"failure":{"kind":"timeout"}}}`))
	f.Add([]byte(`{"version":1,"kind":"http","request":{"method":"GET","path":"/"},"response":{"status":200,"body":{"json":null,"layout":"line"}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := backend.DecodeExchange(b)
		if err != nil {
			return
		}
		first, err := x.Encode()
		require.NoError(t, err)
		again, err := backend.DecodeExchange(first)
		require.NoError(t, err, string(first))
		second, err := again.Encode()
		require.NoError(t, err)
		require.Equal(t, string(first), string(second))
		require.True(t, json.Valid(first))

		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "1.json"), b, 0o600))
		p, err := backend.NewPlayer(dir)
		require.NoError(t, err)
		got, err := p.Find(x.Kind, x.Request)
		require.NoError(t, err)
		require.Equal(t, x.Response, got)
		_, err = p.Find(x.Kind, backend.ExchangeRequest{Method: "odd", Program: "odd"})
		require.Error(t, err)
		r, err := http.NewRequest(http.MethodGet, "http://host/", bytes.NewReader(nil))
		require.NoError(t, err)
		if resp, err := p.RoundTrip(r); err == nil && (x.Response.Body == nil || x.Response.Body.Longer == 0) {
			_, _ = io.Copy(io.Discard, resp.Body)
		}
	})
}

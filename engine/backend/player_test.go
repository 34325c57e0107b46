package backend_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
)

// asks returns the recorded requests that unknown ones are compared with.
func asks(t *testing.T) (form, ask, submit, poll backend.Request) {
	long := strings.Repeat("The meeting of Tuesday. ", 50)
	form = backend.Request{Path: "/audio/transcriptions", Body: must(backend.Form([]backend.Field{
		{"model", "whisper-1"}, {"language", "en"}, {"granularities[]", "word"}, {"granularities[]", "segment"},
	}, audio([]byte("RIFF"))))(t)}
	ask = backend.Request{Path: "/chat/completions", Body: must(backend.JSON(map[string]any{
		"model": "m", "temperature": 0.5, "messages": []any{map[string]any{"role": "user", "content": long + "Who spoke?" + long}}, "stop": []any{},
	}))(t)}
	submit = backend.Request{Path: "/listen", Query: map[string][]string{"diarize": {"true"}, "keywords": {"a", "b"}}, Body: backend.Bytes("audio/wav", []byte("RIFF"))}
	poll = backend.Request{Path: "/jobs/1"}
	return form, ask, submit, poll
}

// The error for an unknown request is not retryable. It describes the difference from the closest recording, without secrets.
func TestUnknown(t *testing.T) {
	t.Parallel()
	r, dir := recorder(t, func(c *backend.RecorderConfig) { c.Next = answers(200, "application/json", "{}") })
	form, ask, submit, poll := asks(t)
	for _, request := range []backend.Request{form, ask, submit, poll} {
		_, err := client(t, "http://host/v1", through(r)).Do(t.Context(), request)
		require.NoError(t, err)
	}
	p := must(backend.NewPlayer(dir, "given-secret"))(t)
	formOf := func(file string, fields ...backend.Field) backend.Request {
		return backend.Request{Path: form.Path, Body: must(backend.Form(fields, audio([]byte(file))))(t)}
	}
	model, language := backend.Field{Name: "model", Value: "whisper-1"}, backend.Field{Name: "language", Value: "en"}
	word, segment := backend.Field{Name: "granularities[]", Value: "word"}, backend.Field{Name: "granularities[]", Value: "segment"}
	jsonOf := func(old, changed string) backend.Request {
		text := string(readBody(t, ask.Body))
		require.Contains(t, text, old)
		return backend.Request{Path: ask.Path, Body: backend.Bytes("application/json", []byte(strings.Replace(text, old, changed, 1)))}
	}
	listen := func(q map[string][]string, kind, body string) backend.Request {
		return backend.Request{Path: "/listen", Query: q, Body: backend.Bytes(kind, []byte(body))}
	}
	for name, c := range map[string]struct {
		request   backend.Request
		msg, hint string
		header    string // X-Version
	}{
		"method":                       {backend.Request{Method: "DELETE", Path: "/jobs/1"}, "DELETE /v1/jobs/1 was recorded: it differs in the method.", "000004-GET-v1-jobs-1.json, but the method is “DELETE” (recorded: “GET”).", ""},
		"path":                         {backend.Request{Path: "/jobs/2"}, "GET /v1/jobs/2 was recorded: it differs in the path.", "but the path is “/v1/jobs/2” (recorded: “/v1/jobs/1”).", ""},
		"header":                       {poll, "it differs in the header X-Version.", "is “2” (recorded: “2026-01-01”).", "2"},
		"parameter":                    {listen(map[string][]string{"diarize": {"false"}, "keywords": {"a", "b"}}, "audio/wav", "RIFF"), "it differs in the parameter “diarize”.", "is “false” (recorded: “true”).", ""},
		"parameter too many":           {listen(map[string][]string{"diarize": {"true"}, "keywords": {"a", "b", "c"}}, "audio/wav", "RIFF"), "it differs in the parameter “keywords” (3).", "is “c” (not recorded).", ""},
		"parameter missing":            {listen(map[string][]string{"keywords": {"a", "b"}}, "audio/wav", "RIFF"), "it differs in the parameter “diarize”.", "is missing (recorded: “true”).", ""},
		"parameter with a secret":      {listen(map[string][]string{"diarize": {"x given-secret"}, "keywords": {"a", "b"}}, "audio/wav", "RIFF"), "in the parameter “diarize”.", "is “x [secret]” (recorded: “true”).", ""},
		"bytes":                        {listen(submit.Query, "audio/wav", "RIFE"), "it differs in the bytes of the body.", "differ: 4 bytes (SHA-256 ", ""},
		"type":                         {listen(submit.Query, "audio/ogg", "RIFF"), "it differs in the type of the body.", "is “audio/ogg” (recorded: “audio/wav”).", ""},
		"no body":                      {backend.Request{Method: "POST", Path: "/listen", Query: submit.Query}, "it differs in the type of the body.", "the bytes of the body are missing.", ""},
		"field":                        {formOf("RIFF", model, backend.Field{Name: "language", Value: "de"}, word, segment), "it differs in the form's field “language”.", "is “de” (recorded: “en”).", ""},
		"field too many":               {formOf("RIFF", model, language, word, segment, word), "it differs in the form's field “granularities[]” (3).", "is “word” (not recorded).", ""},
		"fields of a name swapped":     {formOf("RIFF", model, language, segment, word), "it differs in the form's field “granularities[]”.", "; the form's field “granularities[]” (2) is “word” (recorded: “segment”).", ""},
		"file":                         {formOf("RIFF2", model, language, word, segment), "it differs in the bytes of the file “file”.", "differ: 5 bytes (SHA-256 ", ""},
		"deep in a text":               {jsonOf("Who spoke", "Who spoje"), "it differs in the JSON at /messages/0/content.", "is “…day. Who spoje?The meeting of Tuesday. T…” (recorded: “…day. Who spoke?The", ""},
		"text with a secret":           {jsonOf("Who spoke", key), "it differs in the JSON at /messages/0/content.", "[secret]", ""},
		"a number":                     {jsonOf("0.5", "0.7"), "it differs in the JSON at /temperature.", "is “0.7” (recorded: “0.5”).", ""},
		"a number that is text now":    {jsonOf("0.5", `"0.5"`), "it differs in the JSON at /temperature.", "", ""},
		"an array that isn't empty":    {jsonOf("[]", `["a/b"]`), "it differs in the JSON at /stop/0.", "is “a/b” (not recorded); the JSON at /stop is missing (recorded: “[]”).", ""},
		"another key":                  {jsonOf(`"model"`, `"mo/de~l"`), "it differs in the JSON at /mo~1de~0l.", "", ""},
		"more than is shown":           {jsonOf(`"stop":[]`, `"a":1,"b":2,"c":3,"d":4`), "it differs in the JSON at /a.", "; and 2 more.", ""},
		"the key in the path":          {backend.Request{Path: "/jobs/" + strings.ReplaceAll(key, "/", "%2F")}, "GET /v1/jobs/[secret] was recorded", "is “/v1/jobs/[secret]”", ""},
		"a path that is long":          {backend.Request{Path: "/" + strings.Repeat("x", 10_000)}, "it differs in the path.", "", ""},
		"a field that breaks the line": {formOf("RIFF", model, backend.Field{Name: "language", Value: "d\n\x00e"}, word, segment), "", "is “d e” (recorded: “en”).", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ask := client(t, "http://elsewhere/v1", through(p), func(conf *backend.Config) {
				if c.header != "" {
					conf.Header["X-Version"] = c.header
				}
			})
			_, err := ask.Do(t.Context(), c.request)
			e := failed(t, err)
			require.Equal(t, engine.CodeUnavailable, e.Code)
			require.False(t, e.Retryable)
			require.Contains(t, e.Msg, c.msg)
			require.Contains(t, e.Hint, c.hint)
			require.True(t, strings.HasPrefix(e.Hint, "The closest recording is 00000"), e.Hint)
			require.True(t, strings.HasSuffix(e.Hint, " Record it again if the change is intended."), e.Hint)
			require.Contains(t, e.Err.Error(), "The closest recording is ", "the log has it too")
			require.Less(t, len(e.Msg), 250)
			require.Less(t, len(e.Hint), 700)
			require.NotContains(t, e.Error()+e.Hint, "given-secret")
			require.NotContains(t, e.Hint, "\n")
			if strings.HasPrefix(name, "more than") {
				require.Equal(t, 3, strings.Count(e.Hint, ";"), e.Hint)
			}
		})
	}
}

// These don't matter: the order of keys, parameters, and fields with different names, white space, and the boundary.
func TestSame(t *testing.T) {
	t.Parallel()
	r, dir := recorder(t, func(c *backend.RecorderConfig) { c.Next = answers(200, "application/json", "{}") })
	form, ask, submit, _ := asks(t)
	for _, request := range []backend.Request{form, ask, submit} {
		_, err := client(t, "http://host", through(r)).Do(t.Context(), request)
		require.NoError(t, err)
	}
	p := client(t, "http://host", through(must(backend.NewPlayer(dir))(t)))
	text := string(readBody(t, ask.Body))
	for name, request := range map[string]backend.Request{
		"fields": {Path: form.Path, Body: must(backend.Form([]backend.Field{
			{"granularities[]", "word"}, {"language", "en"}, {"granularities[]", "segment"}, {"model", "whisper-1"},
		}, audio([]byte("RIFF"))))(t)},
		"keys":        {Path: ask.Path, Body: backend.Bytes("application/json; charset=utf-8", []byte(`{"stop":[],"model":"m",`+strings.Replace(text, `"model":"m",`, "", 1)[1:]))},
		"white space": {Path: ask.Path, Body: backend.Bytes("application/json", []byte(strings.ReplaceAll(text, `":`, "\" :\n")))},
		"escapes":     {Path: ask.Path, Body: backend.Bytes("application/json", []byte(strings.ReplaceAll(text, `model`, `\u006dodel`)))},
	} {
		if name == "keys" {
			request.Body = backend.Bytes("application/json; charset=utf-8", []byte(strings.Replace(string(readBody(t, request.Body)), `,"stop":[]`, "", 1)))
		}
		_, err := p.Do(t.Context(), request)
		require.NoError(t, err, name)
	}
}

// NewPlayer refuses a folder that can't be replayed, and the message names the file.
func TestNewPlayer(t *testing.T) {
	t.Parallel()
	good := read(t, "testdata/exchanges", "000001-POST-v1-audio-transcriptions.json")
	body := good[strings.LastIndex(good, `"body": {`) : len(good)-len("\n  }\n}\n")]
	for name, c := range map[string]struct{ old, changed, why string }{
		"cut off":             {good[len(good)/2:], "", "unexpected EOF"},
		"nothing":             {good, "", "unexpected EOF"},
		"no JSON":             {good, "<html>", "invalid character"},
		"a list":              {good, "[]", "cannot unmarshal"},
		"trailing data":       {"\n}\n", "\n}\n{}", "unexpected data after"},
		"another version":     {`"version": 1`, `"version": 2`, "version is 2"},
		"another kind":        {`"http"`, `"ftp"`, "unknown kind of exchange"},
		"a program of none":   {`"http"`, `"command"`, "no program"},
		"an unknown field":    {`"method"`, `"methods"`, "unknown field"},
		"no method":           {`"method": "POST"`, `"method": ""`, "no method"},
		"no path":             {`"path": "/v1/audio/transcriptions"`, `"path": ""`, "no path"},
		"no status":           {`"status": 200`, `"status": 0`, "not a valid status"},
		"a status of text":    {`"status": 200`, `"status": "200"`, "cannot unmarshal"},
		"a wrong hash":        {`"da57`, `"DA57`, "sha256"},
		"a part without":      {`"value": "en"`, `"file": "en"`, "must have"},
		"no body":             {body, `"body": {}`, "must have exactly one of"},
		"two bodies":          {body, `"body": {"text": "a", "json": 1}`, "must have exactly one of"},
		"an unknown layout":   {body, `"body": {"layout": "wide", "json": 1}`, "unknown layout"},
		"a negative length":   {body, `"body": {"longer": -1}`, "negative length"},
		"a hash of an answer": {body, `"body": {"sha256": "` + strings.Repeat("0a", 32) + `"}`, "must not be parts or a hash"},
		"no base64":           {body, `"body": {"base64": "!"}`, "base64"},
		"an unknown failure":  {`"status": 200,`, `"status": 200, "failure": {"kind": "bored"},`, "unknown kind of failure"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, good, c.old)
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "000001-fine.json"), []byte(good), 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "000002-odd.json"), []byte(strings.Replace(good, c.old, c.changed, 1)), 0o600))
			_, err := backend.NewPlayer(dir)
			e := failed(t, err)
			require.Equal(t, engine.CodeInvalid, e.Code)
			require.Equal(t, "The recorded exchange 000002-odd.json is damaged.", e.Msg)
			require.NotEmpty(t, e.Hint)
			require.Contains(t, e.Error(), c.why)
		})
	}
	dir := t.TempDir()
	for _, name := range []string{"README.md", ".hidden.json", ".exchange-1.tmp"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.json"), 0o700))
	_, err := backend.NewPlayer(dir)
	require.Equal(t, "The folder "+dir+" has no recorded exchanges.", failed(t, err).Msg)
	_, err = backend.NewPlayer(filepath.Join(dir, "missing"))
	require.Equal(t, engine.CodeInvalid, failed(t, err).Code)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "by hand.json"), []byte(good), 0o600))
	_, err = backend.NewPlayer(dir)
	require.NoError(t, err)
}

// NewRecorder needs an empty folder, or Append, which continues after the last file. It removes temporary files that a crash left.
func TestNewRecorder(t *testing.T) {
	t.Parallel()
	say := func(text string) func(*backend.RecorderConfig) {
		return func(c *backend.RecorderConfig) { c.Next = answers(200, "text/plain", text) }
	}
	ask := func(r http.RoundTripper) string {
		a, err := client(t, "http://host", through(r)).Do(t.Context(), backend.Request{Path: "/x"})
		require.NoError(t, err)
		return string(a.Body)
	}
	r, dir := recorder(t, say("one"))
	ask(r)
	_, err := backend.NewRecorder(backend.RecorderConfig{Dir: dir})
	require.Equal(t, engine.CodeInvalid, failed(t, err).Code)
	require.NotEmpty(t, failed(t, err).Hint)

	require.NoError(t, os.WriteFile(filepath.Join(dir, ".exchange-7.tmp"), []byte("{"), 0o600))
	require.NoError(t, os.Rename(filepath.Join(dir, "000001-GET-x.json"), filepath.Join(dir, "1000000-GET-x.json")))
	r, _ = recorder(t, say("two"), func(c *backend.RecorderConfig) { c.Dir, c.Append = dir, true })
	ask(r)
	require.Equal(t, []string{"1000000-GET-x.json", "1000001-GET-x.json"}, files(t, dir))
	p := must(backend.NewPlayer(dir))(t)
	require.Equal(t, []string{"one", "two", "two"}, []string{ask(p), ask(p), ask(p)})

	odd := filepath.Join(t.TempDir(), "a[1]b") // a path that looks like a pattern
	require.NoError(t, os.Mkdir(odd, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(odd, ".exchange-7.tmp"), []byte("{"), 0o600))
	recorder(t, say("three"), func(c *backend.RecorderConfig) { c.Dir = odd })
	require.Empty(t, files(t, odd))

	_, err = backend.NewRecorder(backend.RecorderConfig{})
	require.Equal(t, engine.CodeInvalid, failed(t, err).Code)
	_, err = backend.NewRecorder(backend.RecorderConfig{Dir: filepath.Join(dir, "1000000-GET-x.json")})
	require.Equal(t, engine.CodeUnavailable, failed(t, err).Code)
}

// An exchange that can't be recorded is an error.
func TestRecordFails(t *testing.T) {
	t.Parallel()
	for _, next := range []http.RoundTripper{
		answers(200, "text/plain", "hello"),
		roundTrip(func(*http.Request) (*http.Response, error) { return nil, context.DeadlineExceeded }),
	} {
		r, dir := recorder(t, func(c *backend.RecorderConfig) { c.Next = next })
		require.NoError(t, os.RemoveAll(dir))
		_, err := client(t, "http://host", through(r)).Do(t.Context(), backend.Request{Path: "/x"})
		e := failed(t, err)
		require.Equal(t, engine.CodeUnavailable, e.Code)
		require.Equal(t, "The folder of recorded exchanges can't be used.", e.Msg)
		require.False(t, e.Retryable)
	}
}

// Runs of programs are recorded and replayed too, by name, arguments, and input.
func TestCommands(t *testing.T) {
	t.Parallel()
	r, dir := recorder(t, func(c *backend.RecorderConfig) { c.Secrets = []string{"given-secret"} })
	out := `{"token":"given-secret"}`
	sent := func(args ...string) backend.ExchangeRequest {
		return backend.ExchangeRequest{Program: "whisper-cli", Args: args, Body: &backend.Payload{Size: 4, SHA256: strings.Repeat("0a", 32)}}
	}
	require.NoError(t, r.Keep(backend.Exchange{
		Kind: backend.KindCommand, Request: sent("-m", "MODEL", "--key=given-secret"), Response: backend.ExchangeResponse{Status: 3, Body: &backend.Payload{Text: &out}},
	}))
	err := r.Keep(backend.Exchange{Kind: "telepathy"})
	require.Equal(t, engine.CodeInvalid, failed(t, err).Code)
	require.Equal(t, []string{"000001-run-whisper-cli.json"}, files(t, dir))
	require.NotContains(t, read(t, dir, "000001-run-whisper-cli.json"), "given")
	require.Equal(t, `{"token":"given-secret"}`, out)

	p := must(backend.NewPlayer(dir))(t)
	got, err := p.Find(backend.KindCommand, sent("-m", "MODEL", "--key=other"))
	require.NoError(t, err)
	require.Equal(t, 3, got.Status)
	require.Equal(t, `{"token":"[secret]"}`, *got.Body.Text)
	_, err = p.Find(backend.KindCommand, sent("-m", "MODEL"))
	require.Contains(t, failed(t, err).Msg, "No answer to whisper-cli was recorded: it differs in argument 3.")
	_, err = p.Find(backend.KindHTTP, backend.ExchangeRequest{Method: "GET", Path: "/"})
	require.Contains(t, failed(t, err).Msg, "it differs in the kind.")
}

// Concurrent requests get each response once, and then the last one.
func TestPlayerConcurrent(t *testing.T) {
	t.Parallel()
	r, dir := recorder(t)
	const n = 20
	for i := range n {
		require.NoError(t, r.Keep(backend.Exchange{
			Kind: backend.KindHTTP, Request: backend.ExchangeRequest{Method: "GET", Path: "/x"}, Response: backend.ExchangeResponse{Status: 200 + i},
		}))
	}
	p := must(backend.NewPlayer(dir))(t)
	var mu sync.Mutex
	seen := map[int]int{}
	var wait sync.WaitGroup
	for range 2 * n {
		wait.Go(func() {
			got, err := p.Find(backend.KindHTTP, backend.ExchangeRequest{Method: "GET", Path: "/x"})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			seen[got.Status]++
		})
	}
	wait.Wait()
	require.Len(t, seen, n)
	require.Equal(t, n+1, seen[200+n-1])
}

// A canceled replay ends like any canceled request.
func TestPlayerCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := must(backend.NewPlayer("testdata/exchanges"))(t)
	_, err := client(t, "http://host", through(p)).Do(ctx, backend.Request{Path: "/x"})
	require.Equal(t, engine.CodeCanceled, failed(t, err).Code)
}

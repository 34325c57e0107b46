package record_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
)

// exchange returns an exchange with a request and a response body.
func exchange(path, sent, answer string) record.Raw {
	return record.Raw{
		Time: time.Unix(1, 0), Method: "POST", Path: path, Host: "api.example.com",
		Sent: http.Header{"Authorization": {"Bearer sk_live_own"}, "Content-Type": {"application/json"}}, Body: captured(sent),
		Status: 200, Received: http.Header{"Content-Type": {"application/json"}}, Answer: captured(answer),
	}
}

func captured(s string) record.Captured {
	return record.Captured{Data: []byte(s), Bytes: int64(len(s))}
}

func create(t *testing.T, dir string, o record.Options) *record.Recorder {
	t.Helper()
	if o.To == "" {
		o.To = "https://api.example.com"
	}
	r, err := record.Create(dir, o)
	require.NoError(t, err)
	return r
}

func closed(t *testing.T, r *record.Recorder) record.Summary {
	t.Helper()
	s, err := r.Close()
	require.NoError(t, err)
	return s
}

func read(t *testing.T, dir string) []*record.Exchange {
	t.Helper()
	f, err := record.Open(dir)
	require.NoError(t, err)
	all, cut, err := f.All()
	require.NoError(t, err)
	require.False(t, cut)
	return all
}

// No secret reaches the disk, wherever it is: in headers, queries, URLs, members, other text, or compressed.
func TestNoSecretOnDisk(t *testing.T) {
	t.Parallel()
	const secret = "HUSH"
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(`{"upload_url":"https://storage.example/o?any=` + secret + `"}`))
	require.NoError(t, z.Close())
	x := func(change func(*record.Raw)) record.Raw {
		raw := exchange("/v1/spaces", "", "")
		change(&raw)
		return raw
	}
	long := strings.Repeat("a1", 16) + secret
	all := map[string]record.Raw{
		"authorization":            x(func(r *record.Raw) { r.Sent.Set("Authorization", "Bearer "+secret+"-1234567") }),
		"authorization, bare":      x(func(r *record.Raw) { r.Sent.Set("Authorization", secret+"-1234567") }),
		"cookie":                   x(func(r *record.Raw) { r.Sent.Set("Cookie", "a="+secret) }),
		"set-cookie":               x(func(r *record.Raw) { r.Received.Set("Set-Cookie", "a="+secret) }),
		"unknown header":           x(func(r *record.Raw) { r.Sent.Set("X-Whatever", secret) }),
		"redirect":                 x(func(r *record.Raw) { r.Received.Set("Location", "https://storage.example/o?X-Amz-Signature="+secret) }),
		"storage query":            x(func(r *record.Raw) { r.Storage, r.Query = true, "ct=audio%2Fwav&s="+secret }),
		"unknown parameter":        x(func(r *record.Raw) { r.Query = "api_key=" + secret + "&odd=" + secret }),
		"upload_url":               exchange("/v1/uploads", "", `{"upload_url":"https://storage.example/o?any=`+secret+`"}`),
		"escaped upload_url":       exchange("/v1/uploads", "", `{"upload_url" : "https:\/\/storage.example\/o?a=1\u0026b=`+secret+`"}`),
		"asset_url":                exchange("/v1/renders", "", `{"render":{"asset_url":"https://storage.example/o?any=`+secret+`"}}`),
		"any signed URL":           exchange("/v1/imports", `{"url":"https://bucket.example/o?X-Goog-Signature=`+secret+`&x=`+secret+`"}`, ""),
		"a signature with another": exchange("/v1/imports", `{"url":"https://bucket.example/o?a=1\u0026sig=`+secret+`"}`, ""),
		"a long parameter":         exchange("/v1/imports", `{"url":"https://bucket.example/o?h=`+long+`"}`, ""),
		"user of a URL":            exchange("/v1/imports", `{"url":"https://me:`+secret+`@bucket.example/o"}`, ""),
		"webhook secret":           exchange("/v1/webhooks", "", `{"webhook":{"secret":"whsec_`+secret+`"}}`),
		"webhook secret in text":   exchange("/v1/webhooks", "", `{"note":"use whsec_`+secret+`="}`),
		"signature of a delivery":  exchange("/v1/webhooks/x/deliveries", "", `{"request_headers":{"webhook-signature":"v1,`+secret+`"}}`),
		"password":                 exchange("/v1/x", `{"Password":"`+secret+`"}`, ""),
		"cut secret member":        exchange("/v1/x", "", `{"client_secret":"`+secret),
		"bearer in text":           exchange("/v1/x", "", `{"error":"Bearer `+secret+`123456 is unknown"}`),
		"API secret in text":       exchange("/v1/x", "", `{"error":"sk_live_`+secret+` is unknown"}`),
		"form": x(func(r *record.Raw) {
			r.Sent.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Body = captured("token=" + secret)
		}),
		"compressed":               x(func(r *record.Raw) { r.Received.Set("Content-Encoding", "gzip"); r.Answer = captured(zipped.String()) }),
		"unreadable coding":        x(func(r *record.Raw) { r.Received.Set("Content-Encoding", "br"); r.Answer = captured(secret) }),
		"text in another encoding": x(func(r *record.Raw) { r.Answer = captured("\xff" + secret) }),
		"own secret, echoed": x(func(r *record.Raw) {
			r.Sent.Set("Authorization", "Bearer own"+secret+"own")
			r.Answer = captured(`{"error":"own` + secret + `own"}`)
			r.Path = "/v1/own" + secret + "own"
		}),
		"own secret, cut": x(func(r *record.Raw) {
			r.Sent.Set("Authorization", "Bearer own"+secret+"own")
			r.Answer = record.Captured{Data: []byte(`{"error":"own` + secret + `o`), Bytes: 1 << 20, Partial: "cut"}
		}),
		"own secret in binary": x(func(r *record.Raw) {
			r.Sent.Set("Authorization", "Bearer own"+secret+"own")
			r.Received.Set("Content-Type", "video/mp4")
			r.Answer = captured("\xff\xfeown" + secret + "own")
		}),
		"error": x(func(r *record.Raw) { r.Error = "https://storage.example/o?sig=" + secret + ": no answer" }),
	}
	for name, raw := range all {
		dir := filepath.Join(t.TempDir(), "recorded")
		r := create(t, dir, record.Options{})
		r.Add(raw)
		require.EqualValues(t, 1, closed(t, r).Recorded, name)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			b, err := os.ReadFile(filepath.Join(dir, e.Name()))
			require.NoError(t, err)
			require.NotContains(t, string(b), secret, name)
			info, err := e.Info()
			require.NoError(t, err)
			require.Zero(t, info.Mode().Perm()&0o077, "other users can't read %s", e.Name())
		}
		for _, x := range read(t, dir) {
			require.NotContains(t, string(x.ResponseBody.Data()), secret, name)
		}
	}
}

// What is no secret stays as it was sent, so that it can be checked and replayed.
func TestHarmlessTextStays(t *testing.T) {
	t.Parallel()
	const sent = `{"url":"https://www.youtube.example/watch?v=dQw4w9WgXcQ","title":"My \"secret\": a token of thanks","max_tokens":"12"}`
	const answer = `{"text":"The password is not here. http://example.com/a?b=c","next_cursor":"c3Bvb2t5"}`
	x := record.WithoutSecrets(exchange("/v1/imports", sent, answer), 1<<20)
	require.Equal(t, sent, x.RequestBody.Text)
	require.Equal(t, answer, x.ResponseBody.Text)
	require.Equal(t, "bearer", x.Auth)
	require.Equal(t, "createImport", x.Op)
	list := record.WithoutSecrets(record.Raw{Method: "GET", Path: "/v1/recordings", Query: "limit=2&cursor=abc&query=my+token"}, 1)
	require.Equal(t, "limit=2&cursor=abc&query=my+token", list.Query)
}

// A folder can be continued by the same service: numbers go on, and what an interruption left behind is cut.
func TestContinue(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 2 {
		r := create(t, dir, record.Options{})
		r.Add(exchange("/v1/spaces", "", "{}"))
		closed(t, r)
	}
	file, err := os.OpenFile(filepath.Join(dir, "exchanges.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString(`{"number":3,"method":"` + strings.Repeat("x", 10_000))
	require.NoError(t, err)
	require.NoError(t, file.Close())
	f, err := record.Open(dir)
	require.NoError(t, err)
	all, cut, err := f.All()
	require.NoError(t, err)
	require.True(t, cut)
	require.Len(t, all, 2)
	r := create(t, dir, record.Options{})
	r.Add(exchange("/v1/spaces", "", "{}"))
	closed(t, r)
	all = read(t, dir)
	require.Len(t, all, 3)
	require.EqualValues(t, 3, all[2].Number)
}

// Limits stop the recording, not the service: later exchanges are counted, seen, and told once.
func TestLimits(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]record.Options{
		"exchanges": {MaxExchanges: 2}, "bytes": {MaxBytes: 500}, "time": {MaxTime: time.Nanosecond},
	} {
		var notices []error
		seen := 0
		o.Notice = func(err error) { notices = append(notices, err) }
		o.Seen = func(*record.Exchange) { seen++ }
		r := create(t, t.TempDir(), o)
		for range 5 {
			r.Add(exchange("/v1/spaces", "", "{}"))
		}
		s := closed(t, r)
		require.Equal(t, 5, seen, name)
		require.EqualValues(t, 5, s.Recorded+s.Left, name)
		require.Positive(t, s.Left, name)
		require.Len(t, notices, 1, name)
		require.ErrorContains(t, notices[0], "limit", name)
	}
	dir := t.TempDir()
	r := create(t, dir, record.Options{MaxBody: 4})
	raw := exchange("/v1/spaces", "", "")
	raw.Answer = record.Captured{Data: []byte("abc\xc3"), Bytes: 9, Partial: "only the first bytes are recorded"}
	r.Add(raw)
	require.EqualValues(t, 1, closed(t, r).Cut)
	body := read(t, dir)[0].ResponseBody
	require.Equal(t, record.Body{Text: "abc", Bytes: 9, Partial: "only the first bytes are recorded"}, body)
}

// Folders that can't be used say why and what to do.
func TestBadFolders(t *testing.T) {
	t.Parallel()
	write := func(name, content string) string {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
		return dir
	}
	valid := `{"format":"soundstage-recording","version":1,"to":"https://api.example.com"}`
	lines := func(content string) string {
		dir := write("recording.json", valid)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "exchanges.jsonl"), []byte(content), 0o600))
		return dir
	}
	first := `{"number":1,"method":"GET","path":"/v1/spaces","status":200}` + "\n"
	for _, k := range []struct {
		name, dir string
		code      engine.Code
		says      string
	}{
		{"nothing there", filepath.Join(t.TempDir(), "none"), engine.CodeNotFound, "no recorded exchanges"},
		{"another file", write("recording.json", "[]"), engine.CodeInvalid, "is not the manifest"},
		{"a later version", write("recording.json", strings.Replace(valid, ":1", ":2", 1)), engine.CodeInvalid, "version 2"},
		{"no JSON", lines(first + "oops\n" + first), engine.CodeInvalid, "Line 2"},
		{"a number that comes again", lines(first + first), engine.CodeInvalid, "Line 2"},
		{"no path", lines(`{"number":1,"method":"GET","status":200}` + "\n"), engine.CodeInvalid, "Line 1"},
		{"a wrong status", lines(strings.Replace(first, "200", "20", 1)), engine.CodeInvalid, "Line 1"},
	} {
		f, err := record.Open(k.dir)
		if err == nil {
			_, _, err = f.All()
		}
		require.Equal(t, k.code, engine.CodeOf(err), k.name)
		require.ErrorContains(t, err, k.says, k.name)
	}
	_, err := record.Create(write("notes.txt", "mine"), record.Options{To: "https://api.example.com"})
	require.Equal(t, engine.CodeConflict, engine.CodeOf(err))
	_, err = record.Create(lines(first), record.Options{To: "https://other.example.com"})
	require.ErrorContains(t, err, "not with https://other.example.com")
	_, err = record.Create(lines("oops\n"), record.Options{To: "https://api.example.com"})
	require.ErrorContains(t, err, "Line 1")
	_, err = record.Create(filepath.Join(write("file", ""), "file"), record.Options{To: "https://api.example.com"})
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
}

// FuzzBody checks that masking never panics and is stable: masked text stays as it is.
func FuzzBody(f *testing.F) {
	for _, s := range []string{`{"secret":"a"}`, `{"upload_url":"https://a/b?c=d"`, `"\"":"`, `{"a" : "https:\/\/u:p@h?sig=1&x`, `whsec_a`, "Bearer abcdefgh"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x := record.WithoutSecrets(exchange("/v1/x", s, s), 1<<20)
		again := record.WithoutSecrets(exchange("/v1/x", x.RequestBody.Text, ""), 1<<20)
		require.Equal(t, x.RequestBody.Text, again.RequestBody.Text)
	})
}

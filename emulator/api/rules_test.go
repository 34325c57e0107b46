package api_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
)

// operations has each operation of /v1 with a valid request.
var operations = []struct{ method, path, body string }{
	{"GET", "/v1/spaces", ""},
	{"POST", "/v1/uploads", `{"filename":"a.wav","content_type":"audio/wav","content_size":1}`},
	{"GET", "/v1/recordings", ""},
	{"POST", "/v1/recordings", `{"object_id":"obj_x"}`},
	{"GET", "/v1/recordings/x", ""},
	{"GET", "/v1/recordings/x/transcript", ""},
	{"POST", "/v1/transcripts", `{"url":"https://media.example/a.mp3"}`},
	{"GET", "/v1/transcripts/x", ""},
	{"POST", "/v1/renders", `{"recording_id":"x","start_ms":0,"end_ms":1000}`},
	{"GET", "/v1/renders/x", ""},
}

func (r *rig) op(i int, headers ...string) answer {
	r.t.Helper()
	op := operations[i]
	var body any
	if op.body != "" {
		body = op.body
	}
	return r.do(op.method, op.path, body, headers...)
}

// Every operation rejects a missing or invalid secret with 401 and a challenge, and a key without a plan with 403, before any other check.
func TestAuthentication(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for i, op := range operations {
		a := r.as("").op(i)
		a.wantError(401)
		require.Equal(t, `Bearer realm="soundstage"`, a.header.Get("WWW-Authenticate"), "%s %s", op.method, op.path)
		for _, header := range []string{"Bearer wrong", "Bearer ", "Basic c2s6", "sk_sandbox_core", "Bearer sk_sandbox_core x", "bearer\tsk_sandbox_core"} {
			a := r.as("").op(i, "Authorization", header)
			a.wantError(401)
			require.Equal(t, `Bearer realm="soundstage", error="invalid_token"`, a.header.Get("WWW-Authenticate"), "%s: %s", op.path, header)
		}
		require.Equal(t, "Your plan does not include API access.", r.as("sk_sandbox_none").op(i).wantError(403))
		ok := r.as("").op(i, "Authorization", "bearer sk_sandbox_core")
		require.NotEqual(t, 401, ok.status, "the scheme is case-insensitive")
	}
}

// An insufficient tier is reported with the required one, before parameters and resources are checked.
func TestTierForTranslation(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	v := r.as("sk_sandbox_core").do("GET", "/v1/recordings/nothing/transcript?language=de&format=nothing", nil).want(403)
	require.Equal(t, "automation", v["required_tier"])
	require.Equal(t, "core", v["current_tier"])
	require.Len(t, v, 3)
	r.as("sk_sandbox_automation").do("GET", "/v1/recordings/nothing/transcript?language=xx", nil).wantError(400)
	r.as("sk_sandbox_automation").do("GET", "/v1/recordings/nothing/transcript?language=de", nil).wantError(404)
}

// Renders require the platform tier.
func TestTierForRenders(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for _, secret := range []string{"sk_sandbox_core", "sk_sandbox_automation"} {
		v := r.as(secret).do("POST", "/v1/renders", "not even JSON").want(403)
		require.Equal(t, "platform", v["required_tier"])
		r.as(secret).do("GET", "/v1/renders/x", nil).want(403)
	}
}

// An unknown path is 404. An unsupported method is 405 with the supported ones.
func TestRouting(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for _, path := range []string{"/v1/", "/v1/nothing", "/v1/recordings/a/b/c", "/v1/recordings/", "/v1/transcripts/"} {
		r.do("GET", path, nil).wantError(404)
	}
	for path, allow := range map[string]string{
		"/v1/spaces": "GET, HEAD", "/v1/uploads": "POST", "/v1/recordings": "GET, HEAD, POST", "/v1/recordings/x": "GET, HEAD",
		"/v1/transcripts": "POST", "/v1/transcripts/x": "GET, HEAD", "/v1/recordings/x/transcript": "GET, HEAD",
	} {
		a := r.do("DELETE", path, nil)
		a.wantError(405)
		require.Equal(t, allow, a.header.Get("Allow"), path)
	}
	require.Equal(t, 200, r.do("HEAD", "/v1/spaces", nil).status)
	require.Equal(t, 200, r.do("GET", "/openapi.yaml", nil).status)
}

// Each user sees the spaces that they belong to.
func TestSpaces(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	v := r.do("GET", "/v1/spaces", nil).want(200)
	require.Equal(t, map[string]any{
		"spaces": []any{map[string]any{"id": string(emulator.SandboxSpaceID), "name": "Sandbox", "language": "en"}}, "count": 1.0,
	}, v)
	v = r.as("sk_sandbox_other").do("GET", "/v1/spaces", nil).want(200)
	require.Equal(t, string(emulator.OtherSpaceID), v["spaces"].([]any)[0].(map[string]any)["id"])
}

// Each invalid request for an upload gets the documented status.
func TestUploadRules(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{StorageHardLimit: 20_000_000_000})
	for _, c := range []struct {
		body   string
		status int
		says   string
	}{
		{`{"content_type":"audio/wav","content_size":1}`, 400, "filename"},
		{`{"filename":"a.wav","content_size":1}`, 400, "content_type"},
		{`{"filename":"a.wav","content_type":"audio/wav"}`, 400, "content_size"},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":0}`, 400, "content_size"},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":-5}`, 400, "content_size"},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":1.5}`, 400, "content_size"},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":"1"}`, 400, "content_size"},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":1e400}`, 400, "content_size"},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":99999999999999999999999999}`, 400, "content_size"},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":10000000001}`, 413, "10 GB"},
		{`{"filename":7,"content_type":"audio/wav","content_size":1}`, 400, "filename must be a string"},
		{`{"filename":null,"content_type":"audio/wav","content_size":1}`, 400, "filename"},
		{`{"filename":"a\u0000.wav","content_type":"audio/wav","content_size":1}`, 400, "control"},
		{`{"filename":"a.wav","content_type":"wav","content_size":1}`, 400, "content_type"},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":1,"space_id":"nothing"}`, 404, "space"},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":1,"space_id":"` + string(emulator.OtherSpaceID) + `"}`, 404, "space"},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":10000000000}`, 201, ""},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":1e3,"unknown":{"is":["ignored"]},"title":null}`, 201, ""},
		{`{"filename":"a.wav","content_type":"audio/wav","content_size":10000000000}`, 402, "storage limit exceeded"},
	} {
		a := r.do("POST", "/v1/uploads", c.body)
		if c.status == 201 {
			v := a.want(201)
			require.Equal(t, 1800.0, v["upload_url_expires_in_seconds"])
			require.Equal(t, string(emulator.SandboxSpaceID), v["space_id"])
			require.True(t, strings.HasPrefix(v["upload_url"].(string), r.url+"/storage/"), "the URL has the host that the client used")
			continue
		}
		require.Contains(t, a.wantError(c.status), c.says, c.body)
	}
}

// Blanks around a content type don't count, as in the header of the PUT, where HTTP allows them.
func TestBlankAroundContentType(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for declared, sent := range map[string]string{" audio/wav ": "audio/wav", "audio/wav": " audio/wav ", "audio/wav; a=b ": "audio/wav; a=b"} {
		v := r.do("POST", "/v1/uploads", map[string]any{"filename": "a.wav", "content_type": declared, "content_size": 5}).want(201)
		require.Equal(t, 200, r.as("").do("PUT", v["upload_url"].(string), "bytes", "Content-Type", sent).status, "%q", declared)
	}
	v := r.do("POST", "/v1/uploads", map[string]any{"filename": "a.wav", "content_type": "audio/wav ", "content_size": 5}).want(201)
	r.as("").do("PUT", v["upload_url"].(string), "bytes", "Content-Type", "audio/wave").wantStorageError(403, "SignatureDoesNotMatch")
}

// A body that isn't a JSON object is 400 with a message, for every operation that takes a body.
func TestBadJSON(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for _, body := range []string{
		"", "x", "{", `{"a":1`, "[]", `"s"`, "null", "1", "{}{}", `{"a":1,"a":2}`, `{"a":{"b":1,"b":2}}`, "{\"a\":\"\xff\"}", "\xef\xbb\xbf{}",
		strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40), strings.Repeat("[", 100_000), `{"a":` + strings.Repeat("[", 50) + strings.Repeat("]", 50) + "}",
		`{'a':1}`, `{"a":NaN}`, `{"a":01}`, "{\"a\":\"\x01\"}", `{"a":1,}`,
	} {
		for _, path := range []string{"/v1/uploads", "/v1/recordings", "/v1/transcripts"} {
			r.do("POST", path, body).wantError(400)
		}
	}
	for _, path := range []string{"/v1/uploads", "/v1/recordings", "/v1/transcripts"} {
		r.do("POST", path, `{"a":"`+strings.Repeat("x", 1<<20)+`"}`).wantError(413)
		r.do("POST", path, io.MultiReader(strings.NewReader(`{"a":"`), io.LimitReader(rand.Reader, 4<<20))).wantError(413)
	}
}

// POST /v1/transcripts lists every invalid field by name, in the specified body.
func TestTranscriptValidationBody(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for body, want := range map[string]string{
		`{}`:                           `{"errors":{"url":["can't be blank"]},"valid":false}`,
		`{"url":null}`:                 `{"errors":{"url":["can't be blank"]},"valid":false}`,
		`{"url":""}`:                   `{"errors":{"url":["can't be blank"]},"valid":false}`,
		`{"url":"ftp://a/b"}`:          `{"errors":{"url":["must be a valid url"]},"valid":false}`,
		`{"url":"nothing"}`:            `{"errors":{"url":["must be a valid url"]},"valid":false}`,
		`{"url":7}`:                    `{"errors":{"url":["is invalid"]},"valid":false}`,
		`{"URL":"https://a.example/"}`: `{"errors":{"url":["can't be blank"]},"valid":false}`,
		`{"url":7,"language_code":"xx","language_detection":"yes","boosted_words":"one"}`: `{"errors":{"boosted_words":["is invalid"],"language_code":["is invalid"],"language_detection":["is invalid"],"url":["is invalid"]},"valid":false}`,
		`{"url":"https://a.example/","boosted_words":["a",1]}`:                            `{"errors":{"boosted_words":["is invalid"]},"valid":false}`,
		`{"url":"https://a.example/","boosted_words":[""]}`:                               `{"errors":{"boosted_words":["is invalid"]},"valid":false}`,
		`{"url":"https://a.example/","language_code":"EN"}`:                               `{"errors":{"language_code":["is invalid"]},"valid":false}`,
	} {
		a := r.do("POST", "/v1/transcripts", body)
		require.Equal(t, 400, a.status, body)
		require.JSONEq(t, want, string(a.body), body)
	}
}

// A signed URL accepts only its own object, type, size, and time. Errors are storage errors.
func TestSignedPut(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	reserve := func(size int) (id, url string) {
		v := r.do("POST", "/v1/uploads", map[string]any{"filename": "a.wav", "content_type": "audio/wav", "content_size": size}).want(201)
		return v["object_id"].(string), v["upload_url"].(string)
	}
	id, url := reserve(5)
	anonymous := r.as("")
	anonymous.do("PUT", url, "bytes", "Content-Type", "audio/mpeg").wantStorageError(403, "SignatureDoesNotMatch")
	anonymous.do("PUT", url, "too long", "Content-Type", "audio/wav").wantStorageError(413, "EntityTooLarge")
	anonymous.do("PUT", url, io.MultiReader(strings.NewReader("too "), strings.NewReader("long")), "Content-Type", "audio/wav").
		wantStorageError(413, "EntityTooLarge") // without a Content-Length
	anonymous.do("GET", url, nil).wantStorageError(403, "SignatureDoesNotMatch")
	anonymous.do("POST", url, nil).wantStorageError(405, "MethodNotAllowed")
	base, query, _ := strings.Cut(url, "?")
	for _, changed := range []string{base, base + "x?" + query, base + "?" + query + "0", base + "?" + query + "&x=1", strings.Replace(url, "size=5", "size=6", 1),
		strings.Replace(url, "audio%2Fwav", "audio%2Fmpeg", 1), base + "?" + strings.ToUpper(query), base + "?%zz"} {
		if changed == url {
			continue
		}
		anonymous.do("PUT", changed, "bytes", "Content-Type", "audio/wav").wantStorageError(403, "SignatureDoesNotMatch")
	}
	r.do("POST", "/v1/recordings", map[string]any{"object_id": id}).wantError(422)
	a := r.do("PUT", url, "four", "Content-Type", "audio/wav") // an Authorization header is ignored
	require.Equal(t, 200, a.status)
	etag := a.header.Get("ETag")
	r.do("POST", "/v1/recordings", map[string]any{"object_id": id}).wantError(422)
	a = anonymous.do("PUT", url, "bytes", "Content-Type", "audio/wav")
	require.Equal(t, 200, a.status)
	require.NotEqual(t, etag, a.header.Get("ETag"))
	rec := r.do("POST", "/v1/recordings", map[string]any{"object_id": id}).want(201)["recording"].(map[string]any)
	require.Equal(t, "queued", rec["transcript_status"])
	anonymous.do("PUT", url, "other", "Content-Type", "audio/wav").wantStorageError(409, "PreconditionFailed")
	r.do("POST", "/v1/recordings", map[string]any{"object_id": id}).wantError(409)
}

// Each invalid request for a recording gets the documented status.
func TestRecordingRules(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	id := r.upload("a.wav", "audio/wav", []byte("bytes"))
	for _, c := range []struct {
		body   map[string]any
		status int
	}{
		{map[string]any{}, 400},
		{map[string]any{"object_id": ""}, 400},
		{map[string]any{"object_id": 7}, 400},
		{map[string]any{"object_id": "obj_nothing"}, 404},
		{map[string]any{"object_id": id, "language": "xx"}, 400},
		{map[string]any{"object_id": id, "speakers_expected": 0}, 400},
		{map[string]any{"object_id": id, "speakers_expected": -1}, 400},
		{map[string]any{"object_id": id, "speakers_expected": 101}, 400},
		{map[string]any{"object_id": id, "speakers_expected": "2"}, 400},
		{map[string]any{"object_id": id, "title": "a\x00b"}, 400},
		{map[string]any{"object_id": id, "title": strings.Repeat("x", 1001)}, 400},
		{map[string]any{"object_id": id, "context_prompt": strings.Repeat("x", 10_001)}, 400},
		{map[string]any{"object_id": id, "space_id": "nothing"}, 404},
		{map[string]any{"object_id": id, "space_id": string(emulator.OtherSpaceID)}, 404},
	} {
		r.do("POST", "/v1/recordings", c.body).wantError(c.status)
	}
	r.as("sk_sandbox_other").do("POST", "/v1/recordings", map[string]any{"object_id": id}).wantError(404)
	r.do("POST", "/v1/recordings", map[string]any{"object_id": id, "title": nil, "speakers_expected": nil}).want(201)
}

// Pages have at most limit items, clamped to 100, and cursors lead to the next page. An unknown cursor is 400.
func TestRecordingPages(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for i := range 7 {
		r.record(fmt.Sprintf("Folge %d.wav", i), []byte("bytes"), nil)
	}
	var titles []string
	cursor := ""
	for range 4 {
		v := r.do("GET", "/v1/recordings?limit=2"+cursor, nil).want(200)
		for _, rec := range v["recordings"].([]any) {
			titles = append(titles, rec.(map[string]any)["title"].(string))
		}
		require.Equal(t, float64(len(v["recordings"].([]any))), v["count"])
		if v["next_cursor"] == nil {
			break
		}
		cursor = "&cursor=" + v["next_cursor"].(string)
	}
	require.Equal(t, []string{"Folge 6.wav", "Folge 5.wav", "Folge 4.wav", "Folge 3.wav", "Folge 2.wav", "Folge 1.wav", "Folge 0.wav"}, titles)
	for query, count := range map[string]float64{
		"": 7, "?limit=100": 7, "?limit=101": 7, "?limit=999999999999": 7, "?query=fOLGE%203": 1, "?query=%25": 0, "?query=": 7,
		"?space_id=" + string(emulator.SandboxSpaceID): 7,
	} {
		require.Equal(t, count, r.do("GET", "/v1/recordings"+query, nil).want(200)["count"], query)
	}
	good := strings.TrimPrefix(cursor, "&cursor=")
	for _, query := range []string{
		"?limit=0", "?limit=-1", "?limit=x", "?limit=", "?limit=1.5", "?limit=-99999999999999999999", "?limit=1&limit=2", "?cursor=x", "?cursor=" + good[1:], "?cursor=" + good + "A",
		"?query=other&cursor=" + good, "?%zz", "?query=%ff", "?space_id=" + string(emulator.SandboxSpaceID) + "&cursor=" + good,
	} {
		r.do("GET", "/v1/recordings"+query, nil).wantError(400)
	}
	r.as("sk_sandbox_other").do("GET", "/v1/recordings?cursor="+good, nil).wantError(400)
	r.do("GET", "/v1/recordings?space_id="+string(emulator.OtherSpaceID), nil).wantError(404)
}

// Another user's resource gives exactly the same response as a missing one.
func TestOtherUsersSeeNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	other := r.as("sk_sandbox_other")
	id := r.record("a.wav", []byte("bytes"), nil)
	transcript := r.do("POST", "/v1/transcripts", map[string]any{"url": "https://media.invalid/a.mp3"}).want(201)["id"].(string)
	for _, path := range []string{"/v1/recordings/%s", "/v1/recordings/%s/transcript", "/v1/recordings/%s/transcript?format=vtt"} {
		theirs, missing := other.do("GET", fmt.Sprintf(path, id), nil), other.do("GET", fmt.Sprintf(path, "00000000-0000-4000-8000-000000000000"), nil)
		theirs.wantError(404)
		require.Equal(t, string(missing.body), string(theirs.body))
	}
	theirs, missing := other.do("GET", "/v1/transcripts/"+transcript, nil), other.do("GET", "/v1/transcripts/nothing", nil)
	theirs.wantError(404)
	require.Equal(t, string(missing.body), string(theirs.body))
	require.Equal(t, 0.0, other.do("GET", "/v1/recordings", nil).want(200)["count"])
	for _, odd := range []string{"%00", "%ff%fe", strings.Repeat("x", 4000), "..%2f..", "'%20OR%201=1"} {
		r.do("GET", "/v1/recordings/"+odd, nil).wantError(404)
		r.do("GET", "/v1/transcripts/"+odd, nil).wantError(404)
	}
}

// The transcript's parameters are checked before the recording exists, its status after.
func TestTranscriptParameters(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for _, query := range []string{"format=", "format=doc", "format=JSON", "language=xx", "include_timestamp=maybe", "format=txt&format=vtt"} {
		r.do("GET", "/v1/recordings/nothing/transcript?"+query, nil).wantError(400)
	}
	id := r.record("a.wav", media(t, "tone.wav"), nil)
	r.settled("/v1/recordings/"+id, "transcript_status")
	require.Equal(t, "de", r.do("GET", "/v1/recordings/"+id+"/transcript?language=de", nil).want(200)["language"])
}

// 100 concurrent PUTs of one object leave exactly one of the bodies.
func TestConcurrentPuts(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	const size = 100_000
	v := r.do("POST", "/v1/uploads", map[string]any{"filename": "a.wav", "content_type": "audio/wav", "content_size": size}).want(201)
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			a := r.do("PUT", v["upload_url"].(string), bytes.Repeat([]byte{byte(i)}, size), "Content-Type", "audio/wav")
			require.Equal(t, 200, a.status, "%s", a.body)
		})
	}
	all.Wait()
	rec := r.do("POST", "/v1/recordings", map[string]any{"object_id": v["object_id"]}).want(201)["recording"].(map[string]any)
	body, err := r.server.Engine().OpenMedia(t.Context(), engine.Caller{UserID: emulator.SandboxUserID}, engine.RecordingID(rec["id"].(string)), 0, -1)
	require.NoError(t, err)
	b, err := io.ReadAll(body)
	require.NoError(t, err)
	require.NoError(t, body.Close())
	require.Equal(t, bytes.Repeat(b[:1], size), b)
}

// A client that disconnects during an upload leaves nothing behind; the object can still be uploaded.
func TestClientGoesAway(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	v := r.do("POST", "/v1/uploads", map[string]any{"filename": "a.wav", "content_type": "audio/wav", "content_size": 1 << 20}).want(201)
	body, w := io.Pipe()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, v["upload_url"].(string), body)
	require.NoError(t, err)
	req.ContentLength = 1 << 20
	req.Header.Set("Content-Type", "audio/wav")
	sent := make(chan error, 1)
	go func() {
		_, err := w.Write(make([]byte, 300_000))
		_ = w.CloseWithError(fmt.Errorf("gone: %w", io.ErrUnexpectedEOF))
		sent <- err
	}()
	resp, err := http.DefaultClient.Do(req)
	if err == nil {
		_ = resp.Body.Close()
		require.GreaterOrEqual(t, resp.StatusCode, 400)
		require.Less(t, resp.StatusCode, 500)
	}
	require.NoError(t, <-sent)
	r.do("POST", "/v1/recordings", map[string]any{"object_id": v["object_id"]}).wantError(422)
	a := r.do("PUT", v["upload_url"].(string), make([]byte, 1<<20), "Content-Type", "audio/wav")
	require.Equal(t, 200, a.status)
	r.do("POST", "/v1/recordings", map[string]any{"object_id": v["object_id"]}).want(201)
}

// A title with HTML-like text is unchanged in JSON.
func TestTitlesAreKept(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	title := `<b>R&D</b> — “Straße” 日本 🎙️ \ / : * ? " < > |`
	id := r.record("a.wav", media(t, "conversation.wav"), map[string]any{"title": title})
	require.Equal(t, title, r.settled("/v1/recordings/"+id, "transcript_status")["title"])
	a := r.do("GET", "/v1/recordings/"+id+"/transcript?format=txt", nil)
	require.NotContains(t, a.header.Get("Content-Disposition"), "\n")
	require.Contains(t, a.header.Get("Content-Disposition"), "filename*=UTF-8''")
}

// Parameters are checked before resources, and resources before their state.
func TestCheckOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	unsent := r.do("POST", "/v1/uploads", map[string]any{"filename": "a.wav", "content_type": "audio/wav", "content_size": 1}).want(201)["object_id"].(string)
	used := r.upload("notmedia.wav", "audio/wav", media(t, "notmedia.wav"))
	failed := r.do("POST", "/v1/recordings", map[string]any{"object_id": used}).want(201)["recording"].(map[string]any)["id"].(string)
	r.settled("/v1/recordings/"+failed, "transcript_status")
	for _, c := range []struct {
		method, path string
		body         map[string]any
		status       int
		says         string
	}{
		{"POST", "/v1/recordings", map[string]any{"object_id": unsent}, 422, "never arrived"},
		{"POST", "/v1/recordings", map[string]any{"object_id": unsent, "space_id": "nope"}, 404, "space"},
		{"POST", "/v1/recordings", map[string]any{"object_id": unsent, "space_id": emulator.OtherSpaceID}, 404, "space"},
		{"POST", "/v1/recordings", map[string]any{"object_id": unsent, "space_id": "nope", "language": "xx"}, 400, "language"},
		{"POST", "/v1/recordings", map[string]any{"object_id": used}, 409, "already"},
		{"POST", "/v1/recordings", map[string]any{"object_id": used, "space_id": "nope"}, 404, "space"},
		{"POST", "/v1/recordings", map[string]any{"object_id": used, "space_id": emulator.OtherSpaceID}, 404, "space"},
		{"POST", "/v1/renders", map[string]any{"recording_id": failed, "start_ms": 0, "end_ms": 1000}, 400, "status is error"},
		{"POST", "/v1/renders", map[string]any{"recording_id": failed, "suggestion_id": "nope"}, 404, "suggestion"},
		{"PATCH", "/v1/speakers/nope", map[string]any{"name": "Ann"}, 404, "speaker"},
		{"PATCH", "/v1/speakers/nope", map[string]any{"name": ""}, 400, "name is required"},
		{"PATCH", "/v1/speakers/nope", map[string]any{"email": "x"}, 400, "email"},
		{"PATCH", "/v1/webhooks/nope", map[string]any{"events": []string{"nope"}}, 400, "event"},
	} {
		require.Contains(t, r.do(c.method, c.path, c.body).wantError(c.status), c.says, "%s %s %v", c.method, c.path, c.body)
	}
}

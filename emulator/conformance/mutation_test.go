package conformance_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/engine"
)

// mutation is one thing that a server does wrong, and the statements that say it is wrong.
type mutation struct {
	name   string
	method string // of the requests it is about
	path   string // they begin with it; one that ends with $ is the whole path
	fails  []string
	only   string // statements to check

	request func(*http.Request)                       // changes the request; may be nil
	status  [2]int                                    // answers with the first become ones with the second; 0 is none
	header  func(http.Header)                         // changes the headers of the answer; may be nil
	edit    func(v map[string]any)                    // changes a JSON body; may be nil
	body    func(status int, header, b string) string // changes any body by its Content-Type; may be nil
}

const (
	lists     = "recordings.list.[^c]*,recordings.list.count*,recordings.list.cursor.[^k]*,recordings.get*"
	creates   = "recordings.create.*,recording.number.per-space,recording.title.*,languages.recording"
	fields    = "recording.field.*,recording.rss.null-for-uploads,recording.has_transcript.*,recordings.get*,answers.*,errors.general"
	urlChecks = "transcripts.create.[^bl]*,transcripts.create.blank,transcripts.get.*,transcript.*,service.[du]*,languages.supported,errors.general"
	documents = "recordings.transcript.*"
	puts      = "upload.*,uploads.object-id-form,uploads.create.[^t]*,uploads.put.*,uploads.size*,errors.general"
	guards    = "auth.*,tiers.gate,tiers.body,tiers.uploads,tiers.spaces,spaces.*,space.*"
	refusals  = "errors.*,answers.*,recordings.get.unknown,transcripts.get.unknown"
	renders   = "renders.create.[^as]*,renders.create.snaps,renders.get*,renders.asset*,render.*,states.render.entry,states.render.asset"
)

// drop removes a member at a path of names from a body.
func drop(path ...string) func(map[string]any) {
	return func(v map[string]any) {
		for _, name := range path[:len(path)-1] {
			inner, ok := v[name].(map[string]any)
			if !ok {
				return
			}
			v = inner
		}
		delete(v, path[len(path)-1])
	}
}

// set gives a member at a path of names another value, where it is there.
func set(value any, path ...string) func(map[string]any) {
	return func(v map[string]any) {
		for _, name := range path[:len(path)-1] {
			inner, ok := v[name].(map[string]any)
			if !ok {
				return
			}
			v = inner
		}
		if _, ok := v[path[len(path)-1]]; ok {
			v[path[len(path)-1]] = value
		}
	}
}

// everyRecording changes each recording of a body, single or listed.
func everyRecording(change func(map[string]any)) func(map[string]any) {
	return func(v map[string]any) {
		if r, ok := v["recording"].(map[string]any); ok {
			change(r)
		}
		list, _ := v["recordings"].([]any)
		for _, r := range list {
			change(r.(map[string]any))
		}
	}
}

// query changes the query of a request.
func query(change func(url.Values)) func(*http.Request) {
	return func(r *http.Request) {
		q := r.URL.Query()
		change(q)
		r.URL.RawQuery = q.Encode()
	}
}

// impersonate makes the requests of one secret those of another.
func impersonate(from, to string) func(*http.Request) {
	return func(r *http.Request) {
		if r.Header.Get("Authorization") == from {
			r.Header.Set("Authorization", "Bearer "+to)
		}
	}
}

func mutations() []mutation {
	return []mutation{
		{name: "no count", method: "GET", path: "/v1/recordings$", edit: drop("count"), only: lists, fails: []string{"recordings.list.count"}},
		{name: "a wrong count", method: "GET", path: "/v1/recordings$", edit: set(77, "count"), only: lists, fails: []string{"recordings.list.count.of-page"}},
		{name: "no next_cursor", method: "GET", path: "/v1/recordings$", edit: drop("next_cursor"), only: lists, fails: []string{"recordings.list.next_cursor"}},
		{name: "a list that ends too early", method: "GET", path: "/v1/recordings$", edit: set(nil, "next_cursor"), only: lists, fails: []string{"recordings.list.cursor.until-null"}},
		{name: "oldest first", method: "GET", path: "/v1/recordings$", edit: func(v map[string]any) {
			if l, ok := v["recordings"].([]any); ok {
				slices.Reverse(l)
			}
		}, only: lists, fails: []string{"recordings.list.newest-first"}},
		{name: "limit is ignored", method: "GET", path: "/v1/recordings$", request: query(func(q url.Values) {
			if q.Get("limit") == "1" {
				q.Del("limit")
			}
		}), only: lists, fails: []string{"recordings.list.limit"}},
		{name: "larger pages", method: "GET", path: "/v1/recordings$", request: query(func(q url.Values) {
			if !q.Has("limit") {
				q.Set("limit", "30")
			}
		}), only: lists, fails: []string{"recordings.list.limit.default-25"}},
		{name: "any cursor is taken", method: "GET", path: "/v1/recordings$", request: query(func(q url.Values) {
			if q.Get("cursor") == "unrecognizable" {
				q.Del("cursor")
			}
		}), only: lists, fails: []string{"recordings.list.cursor.unrecognizable"}},
		{name: "limit 0 is taken", method: "GET", path: "/v1/recordings$", request: query(func(q url.Values) {
			if q.Get("limit") == "0" {
				q.Del("limit")
			}
		}), only: lists, fails: []string{"recordings.list.limit.zero"}},
		{name: "titles are matched by case", method: "GET", path: "/v1/recordings$", request: query(func(q url.Values) {
			if s := q.Get("query"); s != strings.ToLower(s) {
				q.Set("query", "nothing-"+s)
			}
		}), only: lists, fails: []string{"recordings.list.query.folds-case"}},
		{name: "a list item has less", method: "GET", path: "/v1/recordings$", edit: func(v map[string]any) {
			if l, ok := v["recordings"].([]any); ok {
				for _, r := range l {
					delete(r.(map[string]any), "rss")
				}
			}
		}, only: lists, fails: []string{"recordings.get.same-shape"}},
		{name: "no language", method: "GET", path: "/v1/recordings", edit: everyRecording(drop("language")), only: fields, fails: []string{"recording.field.language"}},
		{name: "no rss", method: "GET", path: "/v1/recordings", edit: everyRecording(drop("rss")), only: fields, fails: []string{"recording.field.rss", "recording.rss.null-for-uploads"}},
		{name: "a number of text", method: "GET", path: "/v1/recordings", edit: everyRecording(set("7", "number")), only: fields, fails: []string{"recording.field.number"}},
		{name: "times of another zone", method: "GET", path: "/v1/recordings", edit: everyRecording(set("2026-01-02T03:04:05+02:00", "created_at")), only: fields,
			fails: []string{"recording.field.created_at", "answers.timestamps"}},
		{name: "a transcript that isn't told", method: "GET", path: "/v1/recordings", edit: everyRecording(set(false, "has_transcript")), only: fields,
			fails: []string{"recording.has_transcript.completed"}},
		{name: "the same number for all", method: "POST", path: "/v1/recordings$", edit: everyRecording(set(7, "number")), only: creates, fails: []string{"recording.number.per-space"}},
		{name: "a title of its own", method: "POST", path: "/v1/recordings$", edit: everyRecording(set("Untitled", "title")), only: creates,
			fails: []string{"recording.title.default-filename", "recordings.create.title"}},
		{name: "missing bytes are 400", method: "POST", path: "/v1/recordings$", status: [2]int{422, 400}, only: creates,
			fails: []string{"recordings.create.never-arrived", "recordings.create.wrong-size"}},
		{name: "unknown objects are 400", method: "POST", path: "/v1/recordings$", status: [2]int{404, 400}, only: creates, fails: []string{"recordings.create.unknown-object"}},
		{name: "created is 200", method: "POST", path: "/v1/recordings$", status: [2]int{201, 200}, only: creates, fails: []string{"recordings.create.status-201"}},
		{name: "an object is used twice", method: "POST", path: "/v1/recordings$", status: [2]int{409, 201}, only: creates, fails: []string{"recordings.create.twice"}},

		{name: "a transcript is 200", method: "POST", path: "/v1/transcripts$", status: [2]int{201, 200}, only: urlChecks, fails: []string{"transcripts.create.status-201"}},
		{name: "a transcript is processing at once", method: "POST", path: "/v1/transcripts$", edit: set("processing", "status"), only: urlChecks, fails: []string{"transcripts.create.queued"}},
		{name: "invalid is 422", method: "POST", path: "/v1/transcripts$", status: [2]int{400, 422}, only: urlChecks, fails: []string{"transcripts.create.invalid-400"}},
		{name: "no valid", method: "POST", path: "/v1/transcripts$", edit: drop("valid"), only: urlChecks, fails: []string{"transcripts.create.valid-false"}},
		{name: "one wrong field at a time", method: "POST", path: "/v1/transcripts$", edit: func(v map[string]any) {
			if e, ok := v["errors"].(map[string]any); ok && len(e) > 3 {
				delete(e, "language_detection")
			}
		}, only: urlChecks, fails: []string{"transcripts.create.all-fields"}},
		{name: "an unknown code", method: "POST", path: "/v1/transcripts$", request: func(r *http.Request) {
			replaceBody(r, `"language_code":"sv"`, `"language_code":"xx"`)
		}, only: urlChecks, fails: []string{"languages.supported"}},
		{name: "one speaker", method: "GET", path: "/v1/transcripts/", edit: func(v map[string]any) {
			l, _ := v["utterances"].([]any)
			for _, u := range l {
				u.(map[string]any)["speaker"] = "Speaker 0"
			}
		}, only: urlChecks, fails: []string{"service.diarization-default"}},
		{name: "no utterances", method: "GET", path: "/v1/transcripts/", edit: drop("utterances"), only: urlChecks, fails: []string{"transcript.field.utterances"}},
		{name: "a duration of text", method: "GET", path: "/v1/transcripts/", edit: set("28", "audio_duration"), only: urlChecks, fails: []string{"transcript.field.audio_duration"}},
		{name: "no error of a failure", method: "GET", path: "/v1/transcripts/", edit: func(v map[string]any) {
			if v["status"] == "error" {
				delete(v, "error")
			}
		}, only: urlChecks, fails: []string{"transcript.field.error"}},

		{name: "another type of vtt", method: "GET", path: "/v1/recordings/", header: func(h http.Header) {
			if strings.HasPrefix(h.Get("Content-Type"), "text/vtt") {
				h.Set("Content-Type", "text/plain; charset=utf-8")
			}
		}, only: documents, fails: []string{"recordings.transcript.format.vtt", "recordings.transcript.content-types"}},
		{name: "a page instead of a pdf", method: "GET", path: "/v1/recordings/", body: func(_ int, contentType, b string) string {
			if contentType == "application/pdf" {
				return "<html></html>"
			}
			return b
		}, only: documents, fails: []string{"recordings.transcript.format.pdf"}},
		{name: "srt without numbers", method: "GET", path: "/v1/recordings/", body: func(_ int, contentType, b string) string {
			if strings.HasPrefix(contentType, "application/x-subrip") {
				return strings.TrimPrefix(b, "1\r\n")
			}
			return b
		}, header: func(h http.Header) {
			if strings.HasPrefix(h.Get("Content-Type"), "application/x-subrip") {
				h.Set("X-Changed", "1")
			}
		}, only: documents, fails: []string{"recordings.transcript.format.srt"}},
		{name: "timestamps stay", method: "GET", path: "/v1/recordings/", request: query(func(q url.Values) { q.Del("include_timestamp") }), only: documents,
			fails: []string{"recordings.transcript.timestamps"}},
		{name: "not completed is 404", method: "GET", path: "/v1/recordings/", request: nil, status: [2]int{400, 409}, only: "recordings.transcript.needs-completed,recordings.transcript.format.vtt",
			fails: []string{"recordings.transcript.needs-completed"}},
		{name: "a transcript without language", method: "GET", path: "/v1/recordings/", edit: func(v map[string]any) {
			if _, ok := v["utterances"]; ok {
				delete(v, "language")
			}
		}, only: documents, fails: []string{"recordings.transcript.json-shape"}},

		{name: "an hour to upload", method: "POST", path: "/v1/uploads$", edit: set(3600, "upload_url_expires_in_seconds"), only: puts,
			fails: []string{"upload.field.upload_url_expires_in_seconds"}},
		{name: "no space of an upload", method: "POST", path: "/v1/uploads$", edit: drop("space_id"), only: puts, fails: []string{"upload.field.space_id"}},
		{name: "an upload is 200", method: "POST", path: "/v1/uploads$", status: [2]int{201, 200}, only: puts, fails: []string{"uploads.create.status-201"}},
		{name: "too large is 400", method: "POST", path: "/v1/uploads$", status: [2]int{413, 400}, only: puts, fails: []string{"uploads.size-limit.status-413"}},
		{name: "no size limit", method: "POST", path: "/v1/uploads$", request: func(r *http.Request) { replaceBody(r, "10000000001", "1000") }, only: puts,
			fails: []string{"uploads.size-limit", "uploads.size-limit.status-413"}},
		{name: "a size may be missing", method: "POST", path: "/v1/uploads$", request: func(r *http.Request) {
			replaceBody(r, `"content_type":"audio/wav"}`, `"content_type":"audio/wav","content_size":1}`)
		}, only: puts, fails: []string{"uploads.create.content_size-required", "uploads.create.missing-400"}},
		{name: "any content type", method: "PUT", path: "/storage/", request: func(r *http.Request) { r.Header.Set("Content-Type", "audio/wav") }, only: puts,
			fails: []string{"uploads.put.content-type", "uploads.put.wrong-type-403"}},
		{name: "no ETag", method: "PUT", path: "/storage/", header: func(h http.Header) { h.Del("ETag") }, only: puts, fails: []string{"uploads.put.status-200"}},

		{name: "no challenge", method: "GET", path: "/v1/spaces$", header: func(h http.Header) { h.Del("WWW-Authenticate") }, only: guards, fails: []string{"auth.missing-401"}},
		{name: "no secret is needed", method: "GET", path: "/v1/spaces$", request: func(r *http.Request) {
			if r.Header.Get("Authorization") == "" {
				r.Header.Set("Authorization", "Bearer sk_sandbox_platform")
			}
		}, only: guards, fails: []string{"auth.every-endpoint", "auth.missing-401"}},
		{name: "a plan is not needed", method: "POST", path: "/v1/uploads$", request: impersonate("Bearer sk_sandbox_none", "sk_sandbox_core"), only: guards, fails: []string{"tiers.uploads"}},
		{name: "no tiers", method: "POST", path: "/v1/renders$", request: impersonate("Bearer sk_sandbox_core", "sk_sandbox_platform"), only: guards,
			fails: []string{"tiers.gate", "tiers.body"}},
		{name: "no tier in the refusal", method: "POST", path: "/v1/renders$", edit: drop("required_tier"), only: guards, fails: []string{"tiers.body"}},
		{name: "a space without language", method: "GET", path: "/v1/spaces$", edit: func(v map[string]any) {
			l, _ := v["spaces"].([]any)
			for _, s := range l {
				delete(s.(map[string]any), "language")
			}
		}, only: guards, fails: []string{"space.field.language"}},
		{name: "another user's spaces", method: "GET", path: "/v1/spaces$", request: impersonate("Bearer sk_sandbox_other", "sk_sandbox_platform"), only: "isolation.spaces-list,spaces.*",
			fails: []string{"isolation.spaces-list"}},
		{name: "another user's recordings", method: "GET", path: "/v1/recordings/", request: impersonate("Bearer sk_sandbox_other", "sk_sandbox_platform"), only: "isolation.recordings,isolation.lists",
			fails: []string{"isolation.recordings"}},
		{name: "another user's list", method: "GET", path: "/v1/recordings$", request: impersonate("Bearer sk_sandbox_other", "sk_sandbox_platform"), only: "isolation.recordings,isolation.lists",
			fails: []string{"isolation.lists"}},

		{name: "errors of another shape", method: "GET", path: "/v1/", edit: func(v map[string]any) {
			if s, ok := v["error"].(string); ok && len(v) == 1 {
				v["message"] = s
				delete(v, "error")
			}
		}, only: refusals, fails: []string{"errors.general", "errors.only-error"}},
		{name: "errors say more", method: "GET", path: "/v1/", edit: func(v map[string]any) {
			if _, ok := v["error"]; ok {
				v["stack"] = "main.go:7"
			}
		}, only: refusals, fails: []string{"errors.only-error"}},
		{name: "JSON that isn't said", method: "GET", path: "/v1/recordings/", header: func(h http.Header) { h.Set("Content-Type", "text/html") }, only: refusals, fails: []string{"answers.json"}},
		{name: "no Allow", method: "DELETE", path: "/v1/", header: func(h http.Header) { h.Del("Allow") }, only: refusals, fails: []string{"errors.wrong-method"}},
		{name: "a server that breaks", method: "GET", path: "/v1/recordings/", status: [2]int{404, 503}, only: refusals, fails: []string{"recordings.get.unknown", "answers.no-5xx"}},
		{name: "unknown members are refused", method: "POST", path: "/v1/uploads$", request: func(r *http.Request) { replaceBody(r, `"no_such_member":true`, `"content_size":0`) }, only: refusals,
			fails: []string{"errors.unknown-members"}},

		{name: "a render that is queued", method: "POST", path: "/v1/renders$", edit: set("queued", "render", "status"), only: renders,
			fails: []string{"states.render.entry", "renders.create.rendering"}},
		{name: "a window that is not snapped", method: "GET", path: "/v1/renders/", edit: set(601, "render", "start_ms"), only: renders, fails: []string{"renders.create.snaps"}},
		{name: "a refusal that doesn't help", method: "POST", path: "/v1/renders$", edit: func(v map[string]any) {
			if s, ok := v["error"].(string); ok && strings.Contains(s, "spoken") {
				v["error"] = "No."
			}
		}, only: "renders.create.no-speech*,renders.create.backwards,renders.create.outside", fails: []string{"renders.create.no-speech"}},
		{name: "no video behind the address", method: "GET", path: "/storage/", status: [2]int{200, 404}, only: renders,
			fails: []string{"states.render.asset", "renders.asset.minted-anew"}},
	}
}

// replaceBody changes a part of a request's body.
func replaceBody(r *http.Request, from, to string) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	b = bytes.ReplaceAll(b, []byte(from), []byte(to))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
}

// about reports whether a mutation is about a request.
func (m mutation) about(r *http.Request) bool {
	whole, exact := strings.CutSuffix(m.path, "$")
	return r.Method == m.method && (r.URL.Path == whole || !exact && strings.HasPrefix(r.URL.Path, m.path))
}

// worse is a server in front of another that does one thing wrong.
func worse(t *testing.T, target string, m mutation) string {
	t.Helper()
	to, err := url.Parse(target)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			if m.request != nil && m.about(r.In) {
				m.request(r.Out)
			}
			r.SetURL(to)
			r.Out.Host = r.In.Host // so that signed addresses lead here
		},
		ModifyResponse: func(resp *http.Response) error { return m.spoil(resp) },
	}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	return s.URL
}

// spoil changes an answer.
func (m mutation) spoil(resp *http.Response) error {
	if !m.about(resp.Request) {
		return nil
	}
	if m.status[0] != 0 && resp.StatusCode == m.status[0] {
		resp.StatusCode = m.status[1]
	}
	if m.header != nil {
		m.header(resp.Header)
	}
	if m.edit == nil && m.body == nil {
		return nil
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if m.edit != nil && d.Decode(&v) == nil && v != nil {
		m.edit(v)
		if b, err = json.Marshal(v); err != nil {
			return err
		}
	}
	if m.body != nil {
		b = []byte(m.body(resp.StatusCode, resp.Header.Get("Content-Type"), string(b)))
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
	resp.Header.Set("Content-Length", strconv.Itoa(len(b)))
	return nil
}

// library makes recordings for a long list; their bytes are no media, so that they cost next to nothing.
func library(t *testing.T, s *emulator.Server, n int) {
	t.Helper()
	e := s.Engine()
	caller, _, err := emulator.Accounts(t.Context(), e)
	require.NoError(t, err)
	for range n {
		up, err := e.CreateUpload(t.Context(), caller, engine.NewUpload{Filename: "old.wav", ContentType: "audio/wav", Size: 1})
		require.NoError(t, err)
		_, err = e.ReceiveUpload(t.Context(), up.ID, strings.NewReader("x"))
		require.NoError(t, err)
		_, err = e.CreateRecording(t.Context(), caller, engine.NewRecording{ObjectID: up.ID})
		require.NoError(t, err)
	}
}

// Each thing that a server does wrong makes exactly those statements fail that say it is wrong.
func TestSuiteNotices(t *testing.T) {
	t.Parallel()
	s := sandbox(t, emulator.Options{AllowPrivateURLs: true})
	library(t, s, 30)
	for _, m := range mutations() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			c := config(worse(t, s.URL(), m))
			c.Only = m.only
			report, err := conformance.Run(t.Context(), c)
			require.NoError(t, err)
			var failed []string
			for _, f := range report.Failures(true) {
				failed = append(failed, f.ID)
			}
			require.ElementsMatch(t, m.fails, failed)
		})
	}
}

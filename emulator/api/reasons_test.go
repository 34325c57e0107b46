package api_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
)

// A rejected request names the statement of the specification that it violates.
func TestReasons(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	space := string(emulator.SandboxSpaceID)
	for _, k := range []struct {
		secret, method, path, body string
		status                     int
		want                       string
	}{
		{"", "GET", "/v1/spaces", "", 401, `specification, "Authentication": Every request except the storage PUT carries the header Authorization: Bearer <API_SECRET> (specified)`},
		{"sk_wrong", "GET", "/v1/spaces", "", 401, `specification, "Authentication": A request with an unknown secret is rejected (specified)`},
		{"sk_sandbox_none", "GET", "/v1/spaces", "", 403, `documentation, "Authentication": A key without a plan gets 403 with Your plan does not include API access (documented)`},
		{"sk_sandbox_core", "POST", "/v1/renders", "{}", 403, `specification, "Authentication": Renders require the tier platform (specified)`},
		{"sk_sandbox_core", "GET", "/v1/recordings/x/transcript?language=de", "", 403, "language requires the automation tier (specified)"},
		{"*", "POST", "/v1/uploads", "{}", 400, `specification, "Uploads": filename is required (specified)`},
		{"*", "POST", "/v1/uploads", `{"filename":"a","content_type":"a/b","content_size":-1}`, 400, `specification, "Uploads": content_size is required (specified)`},
		{"*", "POST", "/v1/uploads", `{"filename":7}`, 400, `assumption, "Errors": A wrong JSON type returns 400 (assumed)`},
		{"*", "POST", "/v1/uploads", `[`, 400, `assumption, "Errors": A body that is not a JSON object returns 400 (assumed)`},
		{"*", "POST", "/v1/uploads", `{"a`, 400, `assumption, "Errors": Malformed JSON returns 400 (assumed)`},
		{"*", "POST", "/v1/transcripts", `{}`, 400, `specification, "URL transcription": url is required (specified)`},
		{"*", "POST", "/v1/transcripts", `{"url":"http://a.b/c","language_code":"xx"}`, 400, "language_code is one of the supported language codes (specified)"},
		{"*", "GET", "/v1/recordings?limit=0", "", 400, "limit below 1 returns 400 (assumed)"},
		{"*", "GET", "/v1/recordings?cursor=x", "", 400, `specification, "Recordings": An unrecognizable cursor returns 400 (specified)`},
		{"*", "GET", "/v1/recordings/x", "", 404, `assumption, "Recordings": An unknown recording returns 404 (assumed)`},
		{"*", "POST", "/v1/spaces/" + space + "/speakers", `{"name":"Ann","email":"x"}`, 400, "openapi.yaml, createSpeaker: A field is missing or invalid, or the space has no role with this name (assumed): email is not an address."},
		{"*", "POST", "/v1/chat", `{"message":"?","recording_ids":["1","2","3","4","5","6","7","8","9","10","11"]}`, 400, `specification, "Chat": More than 10 ids is rejected`},
		{"*", "POST", "/v1/renders", `{"recording_id":"x","start_ms":0,"end_ms":999999}`, 400, `specification, "Renders": The window may be at most 3 minutes (specified)`},
		{"*", "POST", "/v1/webhooks", `{"events":["output.completed"]}`, 400, `assumption, "Events": A missing url returns 400 (assumed)`},
		{"*", "POST", "/v1/webhooks", `{"url":"https://u:p@example.com/","events":["output.completed"]}`, 400, "openapi.yaml, createWebhook: The URL is malformed or does not resolve to a public address, or the events are missing or unknown (assumed): url "},
		{"*", "DELETE", "/v1/spaces", "", 405, `assumption, "Errors": A wrong method returns 405 with Allow (assumed)`},
		{"*", "GET", "/v1/nothing", "", 404, `assumption, "Errors": An unknown path under /v1 returns 404 (assumed)`},
		{"*", "PUT", "/storage/x", "", 403, `assumption, "Uploads": A bad signature returns 403, with an XML body (assumed)`},
		{"*", "GET", "/storage/x", "", 403, "openapi.yaml, getObject: "},
	} {
		as := r
		if k.secret != "*" {
			as = r.as(k.secret)
		}
		a := as.do(k.method, k.path, k.body)
		require.Equal(t, k.status, a.status, "%s %s: %s", k.method, k.path, a.body)
		require.Contains(t, a.header.Get("X-Soundstage-Reason"), k.want, "%s %s", k.method, k.path)
	}
	require.Empty(t, r.do("GET", "/v1/spaces", nil).header.Get("X-Soundstage-Reason"))
}

// Another user's resource is rejected with the same reason as a missing one.
func TestReasonsTellNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	theirs := r.as("sk_sandbox_other").do("GET", "/v1/spaces/"+string(emulator.SandboxSpaceID)+"/speakers", nil)
	none := r.as("sk_sandbox_other").do("GET", "/v1/spaces/00000000-0000-4000-8000-00000000ffff/speakers", nil)
	require.Equal(t, 404, theirs.status)
	require.Equal(t, none.header.Get("X-Soundstage-Reason"), theirs.header.Get("X-Soundstage-Reason"))
	require.Equal(t, none.body, theirs.body)
}

// Every statement and every operation in the tables of reasons exists.
func TestReasonsAreComplete(t *testing.T) {
	t.Parallel()
	for _, line := range api.Reasons() {
		for part := range strings.SplitSeq(line, "; ") {
			require.NotEmpty(t, part)
		}
		require.Regexp(t, reasonPattern, line)
	}
	known := map[string]bool{}
	for _, op := range api.Operations() {
		known[op.ID] = true
	}
	for _, id := range api.ReasonOperations() {
		require.True(t, known[id], id)
	}
}

// Unknown parts of a request are ignored, as in the hosted service, with a warning.
func TestWarnings(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	body := `{"filename":"a.wav","content_type":"audio/wav","content_size":5,"titel":"x","\u00e9\"":null}`
	a := r.do("POST", "/v1/uploads?spce_id=1", body)
	a.want(201)
	require.Equal(t, []string{
		`unknown query parameter "spce_id" was ignored`, `unknown field "titel" was ignored`, `unknown field "\u00e9\"" was ignored`,
	}, a.header.Values("X-Soundstage-Warning"))
	a = r.do("GET", "/v1/recordings?query=a&limit=3&page=2", nil)
	a.want(200)
	require.Equal(t, []string{`unknown query parameter "page" was ignored`}, a.header.Values("X-Soundstage-Warning"))
	require.Empty(t, r.do("GET", "/v1/recordings?query=a&limit=3", nil).header.Values("X-Soundstage-Warning"))
	many := "/v1/recordings?"
	for c := 'a'; c <= 'z'; c++ {
		many += "&" + string(c) + "=1"
	}
	a = r.do("GET", many, nil)
	require.Len(t, a.header.Values("X-Soundstage-Warning"), 9)
	require.Equal(t, "18 more were ignored", a.header.Values("X-Soundstage-Warning")[8])
	a = r.do("GET", "/v1/spaces", "1") // a single byte
	a.want(200)
	require.Equal(t, []string{"the request body was ignored"}, a.header.Values("X-Soundstage-Warning"))
}

// OperationOf finds the operation and the first resource ID of a request.
func TestOperationOf(t *testing.T) {
	t.Parallel()
	for request, want := range map[string][2]string{
		"GET /v1/spaces":                           {"listSpaces", ""},
		"HEAD /v1/spaces":                          {"listSpaces", ""},
		"GET /v1/recordings/a%2Fb":                 {"getRecording", "a/b"},
		"GET /v1/recordings/":                      {"", ""},
		"GET /v1/recordings/a/":                    {"", ""},
		"DELETE /v1/spaces":                        {"", ""},
		"POST /v1/webhooks/w/deliveries/d/replay":  {"replayWebhookDelivery", "w"},
		"PUT /storage/obj_1":                       {"putObject", "obj_1"},
		"GET /_soundstage/health":                  {"", ""},
		"POST /v1/recordings/r/speakers/unassign":  {"unassignSpeaker", "r"},
		"POST /v1/recordings/r/speakers/unassigns": {"", ""},
	} {
		method, path, _ := strings.Cut(request, " ")
		id, resource := api.OperationOf(method, path)
		require.Equal(t, want, [2]string{id, resource}, request)
	}
}

// tierRecorder is a ResponseWriter that records the caller's tier.
type tierRecorder struct {
	*httptest.ResponseRecorder
	tier engine.Tier
}

func (n *tierRecorder) NoteCaller(c engine.Caller) { n.tier = c.Tier }

// A handler that wraps the API learns the caller.
func TestCallerNoter(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	w := &tierRecorder{ResponseRecorder: httptest.NewRecorder()}
	req := httptest.NewRequest(http.MethodGet, "http://sandbox/v1/spaces", nil)
	req.Header.Set("Authorization", "Bearer sk_sandbox_core")
	r.server.Handler().ServeHTTP(w, req)
	require.Equal(t, 200, w.Code)
	require.Equal(t, engine.TierCore, w.tier)
}

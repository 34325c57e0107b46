package api_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// access is a request with placeholders {kind} for resource IDs.
type access struct{ method, path, body string }

// accesses returns a request for every place where an ID can be: each GET with IDs in its path, and otherAccesses.
func accesses() []access {
	all := slices.Clone(otherAccesses)
	for _, route := range slices.Sorted(maps.Keys(api.Routes())) {
		if method, path, _ := strings.Cut(route, " "); method == "GET" && strings.Contains(path, "{") {
			all = append(all, access{method, parameter.ReplaceAllString(path, "/$1/{$1}"), ""})
		}
	}
	for i := range all {
		all[i].path = plural.Replace(all[i].path)
	}
	return all
}

// parameter matches a collection followed by an ID in a path. plural turns collection names into the kinds of populate.
var (
	parameter = regexp.MustCompile(`/([a-z]+)/\{[a-z_]+\}`)
	plural    = strings.NewReplacer("s}", "}")
)

// otherAccesses are the requests with a body or with IDs in the query.
var otherAccesses = []access{
	{"POST", "/v1/spaces/{space}/speakers", `{"name":"Eve"}`},
	{"PATCH", "/v1/speakers/{speaker}", `{"name":"Eve"}`},
	{"POST", "/v1/uploads", `{"filename":"a.wav","content_type":"audio/wav","content_size":5,"space_id":"{space}"}`},
	{"GET", "/v1/recordings?space_id={space}", ""},
	{"POST", "/v1/recordings", `{"object_id":"{upload}"}`},
	{"POST", "/v1/recordings", `{"object_id":"{upload}","space_id":"{space}"}`},
	{"GET", "/v1/recordings/{recording}/transcript?language=de&format=srt", ""},
	{"POST", "/v1/recordings/{recording}/speakers/assign", `{"label":"Speaker 0","speaker_id":"{speaker}"}`},
	{"POST", "/v1/recordings/{recording}/speakers/unassign", `{"label":"Speaker 0","speaker_id":"{speaker}"}`},
	{"POST", "/v1/recordings/{recording}/generate", `{"prompt_id":"{prompt}"}`},
	{"GET", "/v1/recordings/{recording}/clip-suggestions?generate=true", ""},
	{"GET", "/v1/prompts?space_id={space}", ""},
	{"POST", "/v1/prompts", `{"name":"a","prompt":"b","space_id":"{space}"}`},
	{"POST", "/v1/chat", `{"message":"Why?","recording_ids":["{recording}"]}`},
	{"POST", "/v1/imports", `{"url":"https://vimeo.com/1","space_id":"{space}"}`},
	{"POST", "/v1/renders", `{"recording_id":"{recording}","start_ms":0,"end_ms":1200}`},
	{"POST", "/v1/renders", `{"recording_id":"{recording}","suggestion_id":"{suggestion}"}`},
	{"GET", "/v1/search?query=a&space_id={space}", ""},
	{"POST", "/v1/webhooks", `{"url":"http://127.0.0.1:9/","events":["output.completed"],"space_id":"{space}"}`},
	{"PATCH", "/v1/webhooks/{webhook}", `{"disabled":true}`},
	{"POST", "/v1/webhooks/{webhook}/test", ""},
	{"POST", "/v1/webhooks/{webhook}/rotate-secret", ""},
	{"POST", "/v1/webhooks/{webhook}/deliveries/{delivery}/replay", ""},
	{"DELETE", "/v1/webhooks/{webhook}", ""},
}

const missing = "5f0c1b4e-0000-4000-8000-00000000dead"

var placeholder = regexp.MustCompile(`\{([a-z]+)\}`)

// An ID of another user gives the same response as a missing one, wherever an ID can be. So does an ID of another kind.
func TestForeignIDs(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it makes thousands of requests")
	first, other, mine, theirs := newPopulatedUsers(t)
	checked := 0
	for _, a := range accesses() {
		for _, m := range placeholder.FindAllStringSubmatch(a.path+a.body, -1) {
			kind := m[1]
			ask := func(id string) answer {
				with := ids{}
				for k, v := range theirs {
					with[k] = v
				}
				with[kind] = id
				var body any
				if a.body != "" {
					body = fill(a.body, with)
				}
				return other.do(a.method, fill(a.path, with), body)
			}
			nothing := ask(missing)
			require.Equal(t, 404, nothing.status, "%s %s %s with a missing %s: %s", a.method, a.path, a.body, kind, nothing.body)
			foreign := ask(mine[kind])
			require.Equal(t, 404, foreign.status, "%s %s %s with a foreign %s: %s", a.method, a.path, a.body, kind, foreign.body)
			require.Equal(t, string(nothing.body), string(foreign.body), "%s %s", a.method, a.path)
			strange := ask(theirs[map[bool]string{true: "speaker", false: "recording"}[kind == "recording"]])
			require.Equal(t, 404, strange.status, "%s %s with an id of another kind: %s", a.method, a.path, strange.body)
			checked++
		}
	}
	require.Greater(t, checked, 40)
	for kind, path := range map[string]string{"recording": "/v1/recordings/", "webhook": "/v1/webhooks/", "output": "/v1/outputs/", "import": "/v1/imports/"} {
		require.Equal(t, 200, first.do("GET", path+mine[kind], nil).status, "the first user's resources are unchanged")
	}
}

// The matrix covers every route with a resource ID.
func TestForeignIDsAreComplete(t *testing.T) {
	t.Parallel()
	have := map[string]bool{}
	for _, a := range accesses() {
		path, _, _ := strings.Cut(a.path, "?")
		have[a.method+" "+placeholder.ReplaceAllString(path, "{}")] = true
	}
	for route := range api.Routes() {
		if strings.Contains(route, "{") {
			require.True(t, have[regexp.MustCompile(`\{[a-z_]+\}`).ReplaceAllString(route, "{}")], "%s: add a request to otherAccesses", route)
		}
	}
}

// An ID that doesn't exist is a 404 wherever there can be one.
func TestUnknownIDs(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{AllowPrivateURLs: true})
	for _, x := range accesses() {
		var body any
		if x.body != "" {
			body = placeholder.ReplaceAllString(x.body, missing)
		}
		a := r.do(x.method, placeholder.ReplaceAllString(x.path, missing), body)
		require.Equal(t, 404, a.status, "%s %s: %s", x.method, x.path, a.body)
	}
}

// A member of a body that has another type is refused, by name.
func TestWrongTypes(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{AllowPrivateURLs: true})
	checked := 0
	for _, x := range accesses() {
		var body map[string]any
		if x.body == "" || json.Unmarshal([]byte(x.body), &body) != nil {
			continue
		}
		for name, value := range body {
			wrong := maps.Clone(body)
			if wrong[name] = any(map[string]any{}); value == nil {
				continue
			}
			a := r.do(x.method, placeholder.ReplaceAllString(x.path, missing), wrong)
			if a.status == 404 { // an ID in the path comes first
				continue
			}
			require.Equal(t, 400, a.status, "%s %s with a wrong %s: %s", x.method, x.path, name, a.body)
			require.Contains(t, string(a.body), name)
			checked++
		}
	}
	require.Greater(t, checked, 25)
}

// A body that isn't JSON and a query that can't be parsed are refused wherever they are read.
func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{AllowPrivateURLs: true})
	for _, x := range accesses() {
		path, query, _ := strings.Cut(placeholder.ReplaceAllString(x.path, missing), "?")
		var a answer
		switch {
		case x.body != "":
			a = r.do(x.method, path, "{")
		case query != "":
			a = r.do(x.method, path+"?"+query+"&a=%zz", nil)
		default:
			continue
		}
		require.Equal(t, 400, a.status, "%s %s: %s", x.method, x.path, a.body)
		require.Contains(t, string(a.body), map[bool]string{true: "body", false: "query"}[x.body != ""])
	}
}

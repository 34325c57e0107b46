package drift

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
)

const chat = `{"chat_id":"0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11","status":"queued","answer":null,"recording_ids":["x"]}`

// Each kind of difference is found, with its place and its provenance, and nothing else is.
func TestCompare(t *testing.T) {
	t.Parallel()
	operations, err := parse(api.Spec)
	require.NoError(t, err)
	c := document{operations}
	type found struct{ rule, where, provenance string }
	for name, k := range map[string]struct {
		op, method, query, sent string
		status                  int
		kind, body              string
		want                    []found
	}{
		"no difference":             {op: "getChat", status: 200, body: chat},
		"a missing member":          {op: "listSpaces", status: 200, body: `{"spaces":[]}`, want: []found{{RuleMissing, "/count", "specified"}}},
		"a wrong type":              {op: "listSpaces", status: 200, body: `{"spaces":[],"count":"0"}`, want: []found{{RuleType, "/count", "specified"}}},
		"a forbidden null":          {op: "listSpaces", status: 200, body: `{"spaces":null,"count":0}`, want: []found{{RuleType, "/spaces", "specified"}}},
		"an unknown member":         {op: "listSpaces", status: 200, body: `{"spaces":[],"count":0,"more":1}`, want: []found{{RuleUnknown, "/more", "assumed"}}},
		"an unknown enum":           {op: "getChat", status: 200, body: `{"chat_id":"x","status":"done","answer":null,"recording_ids":["x"]}`, want: []found{{RuleEnum, "/status", "specified"}}},
		"a documented member":       {op: "createUpload", status: 201, body: `{"object_id":"x","upload_url":"http://a","upload_url_expires_in_seconds":1800,"space_id":"x"}`, want: []found{{RuleValue, "/object_id", "documented"}}},
		"a wrong constant":          {op: "createUpload", status: 201, body: `{"object_id":"obj_x","upload_url":"http://a","upload_url_expires_in_seconds":60,"space_id":"x"}`, want: []found{{RuleEnum, "/upload_url_expires_in_seconds", "specified"}}},
		"two items, one difference": {op: "listSpaces", status: 200, body: `{"spaces":[{"id":1,"name":"a","language":"en"},{"id":2,"name":"a","language":"en"}],"count":2}`, want: []found{{RuleType, "/spaces/*/id", "specified"}}},
		"in a union by status":      {op: "getTranscript", status: 200, body: `{"id":"x","status":"completed","utterances":[]}`, want: []found{{RuleMissing, "/audio_duration", "specified"}}},
		"an unknown status":         {op: "listSpaces", status: 418, body: `{"error":"x"}`, want: []found{{RuleStatus, "", "documented"}}},
		"an unknown success":        {op: "createTranscript", status: 200, body: `{"id":"x","status":"queued"}`, want: []found{{RuleStatus, "", "specified"}}},
		"another content type":      {op: "listSpaces", status: 200, kind: "text/html", body: "<p>", want: []found{{RuleContentType, "Content-Type", "specified"}}},
		"no JSON":                   {op: "listSpaces", status: 200, body: "oops", want: []found{{RuleJSON, "", "specified"}}},
		"a missing header": {op: "listSpaces", status: 429, body: `{"error":"x"}`, want: []found{
			{RuleHeader, "Retry-After", "assumed"}, {RuleHeader, "X-Ratelimit-Limit", "assumed"},
			{RuleHeader, "X-Ratelimit-Remaining", "assumed"}, {RuleHeader, "X-Ratelimit-Reset", "assumed"},
		}},
		"an accepted bad body":  {op: "createTranscript", method: "POST", sent: `{"url":7}`, status: 201, body: `{"id":"x","status":"queued"}`, want: []found{{RuleAccepted, "/url", "specified"}}},
		"an accepted bad limit": {op: "listRecordings", query: "limit=0", status: 200, body: `{"recordings":[],"count":0,"next_cursor":null}`, want: []found{{RuleAccepted, "limit", "specified"}}},
		"a refused bad body":    {op: "createTranscript", method: "POST", sent: `{"url":7}`, status: 400, body: `{"errors":{"url":["is invalid"]},"valid":false}`},
		"an unknown operation":  {status: 200, body: `{}`, want: []found{{RuleOperation, "", "assumed"}}},
		"an unknown path":       {status: 404, body: `{"error":"x"}`},
		"HEAD":                  {op: "listSpaces", method: "HEAD", status: 200, body: ""},
	} {
		q, err := url.ParseQuery(k.query)
		require.NoError(t, err)
		if k.kind == "" {
			k.kind = "application/json"
		}
		header := http.Header{"Content-Type": {k.kind}, "Www-Authenticate": {"Bearer"}}
		var got []found
		for _, p := range c.compare(Exchange{Op: k.op, Method: k.method, Query: q, Sent: []byte(k.sent), Status: k.status, Header: header, Body: []byte(k.body)}) {
			got = append(got, found{p.Rule, p.Where, p.Provenance})
			require.NotEmpty(t, p.Expected, name)
			require.NotEmpty(t, p.Got, name)
		}
		require.Equal(t, k.want, got, name)
	}
}

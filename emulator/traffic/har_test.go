package traffic_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
)

// harRule lists the required and optional fields of a HAR 1.2 object by type: string, number, integer, object, array, time, or url. A ?
// marks an optional field. Fields that begin with _ are custom and always allowed.
type harRule map[string]string

var harRules = map[string]harRule{
	"log":      {"version": "string", "creator": "object", "browser": "object?", "pages": "array?", "entries": "array", "comment": "string?"},
	"creator":  {"name": "string", "version": "string", "comment": "string?"},
	"entry":    {"pageref": "string?", "startedDateTime": "time", "time": "number", "request": "object", "response": "object", "cache": "object", "timings": "object", "serverIPAddress": "string?", "connection": "string?", "comment": "string?"},
	"request":  {"method": "string", "url": "url", "httpVersion": "string", "cookies": "array", "headers": "array", "queryString": "array", "postData": "object?", "headersSize": "integer", "bodySize": "integer", "comment": "string?"},
	"response": {"status": "integer", "statusText": "string", "httpVersion": "string", "cookies": "array", "headers": "array", "content": "object", "redirectURL": "string", "headersSize": "integer", "bodySize": "integer", "comment": "string?"},
	"pair":     {"name": "string", "value": "string", "comment": "string?"},
	"postData": {"mimeType": "string", "params": "array", "text": "string", "comment": "string?"},
	"content":  {"size": "integer", "compression": "integer?", "mimeType": "string", "text": "string?", "encoding": "string?", "comment": "string?"},
	"cache":    {"beforeRequest": "object?", "afterRequest": "object?", "comment": "string?"},
	"timings":  {"blocked": "number?", "dns": "number?", "connect": "number?", "send": "number", "wait": "number", "receive": "number", "ssl": "number?", "comment": "string?"},
}

// object checks a JSON object against its rule and returns it.
func object(t *testing.T, rule string, v any) map[string]any {
	t.Helper()
	o, ok := v.(map[string]any)
	require.True(t, ok, "%s: %v", rule, v)
	for name, value := range o {
		kind, ok := harRules[rule][name]
		require.True(t, ok || strings.HasPrefix(name, "_"), "%s has no %s", rule, name)
		switch strings.TrimSuffix(kind, "?") {
		case "string":
			require.IsType(t, "", value, "%s.%s", rule, name)
		case "number", "integer":
			n, isNumber := value.(float64)
			require.True(t, isNumber && (n >= 0 || n == -1), "%s.%s: %v", rule, name, value)
			require.True(t, kind == "number" || n == float64(int64(n)), "%s.%s: %v", rule, name, value)
		case "object":
			require.IsType(t, map[string]any{}, value, "%s.%s", rule, name)
		case "array":
			require.IsType(t, []any{}, value, "%s.%s", rule, name)
		case "time":
			_, err := time.Parse(time.RFC3339, value.(string))
			require.NoError(t, err)
		case "url":
			u, err := url.Parse(value.(string))
			require.NoError(t, err)
			require.True(t, u.IsAbs() && u.Host != "" && u.Fragment == "", "%s", value)
		}
	}
	for name, kind := range harRules[rule] {
		if !strings.HasSuffix(kind, "?") {
			require.Contains(t, o, name, rule)
		}
	}
	return o
}

func pairs(t *testing.T, v any) {
	t.Helper()
	for _, p := range v.([]any) {
		object(t, "pair", p)
	}
}

// An export is a valid HTTP Archive 1.2, including aborted exchanges and binary bodies.
func TestHAR(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, traffic.Config{MaxBody: 40})
	s.add(traffic.Fault{Match: traffic.FaultMatch{Op: "createChat"}, Do: traffic.Do{ResetAfterBytes: traffic.Bytes(1)}})
	s.do("GET", "/v1/recordings?query=a+b%26c&limit", "")
	s.do("POST", "/v1/uploads", strings.Repeat("ü", 50))
	s.do("PUT", "/storage/o?sig=secret", "\x00\xff\xfe")
	s.do("POST", "/v1/chat", "{}")
	s.do("DELETE", "/v1/webhooks/x", "")
	var b bytes.Buffer
	require.NoError(t, s.traffic.WriteHAR(&b, traffic.Match{}, "1.2.3"))
	require.NotContains(t, b.String(), "secret")
	require.NotContains(t, b.String(), "platform")
	var doc map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &doc))
	require.Len(t, doc, 1)
	log := object(t, "log", doc["log"])
	require.Equal(t, "1.2", log["version"])
	require.Equal(t, map[string]any{"name": "soundstage", "version": "1.2.3"}, object(t, "creator", log["creator"]))
	entries := log["entries"].([]any)
	require.Len(t, entries, 5)
	var requests, responses []map[string]any
	for _, v := range entries {
		e := object(t, "entry", v)
		object(t, "cache", e["cache"])
		timings := object(t, "timings", e["timings"])
		require.InDelta(t, e["time"], timings["send"].(float64)+timings["wait"].(float64)+timings["receive"].(float64), 1e-9, "time is the sum of timings")
		request, response := object(t, "request", e["request"]), object(t, "response", e["response"])
		pairs(t, request["headers"])
		pairs(t, request["queryString"])
		pairs(t, response["headers"])
		if p, ok := request["postData"]; ok {
			object(t, "postData", p)
		}
		object(t, "content", response["content"])
		requests, responses = append(requests, request), append(responses, response)
	}
	require.Equal(t, s.url+"/v1/recordings?query=a+b%26c&limit", requests[0]["url"])
	require.Equal(t, []any{map[string]any{"name": "query", "value": "a b&c"}, map[string]any{"name": "limit", "value": ""}}, requests[0]["queryString"])
	require.Equal(t, responseText, responses[0]["content"].(map[string]any)["text"])
	upload := requests[1]["postData"].(map[string]any)
	require.Equal(t, strings.Repeat("ü", 20), upload["text"])
	require.Equal(t, "truncated: only the first bytes were kept", upload["comment"])
	require.Equal(t, 100.0, requests[1]["bodySize"])
	require.Equal(t, "base64", requests[2]["postData"].(map[string]any)["_encoding"])
	require.Equal(t, "AP/+", requests[2]["postData"].(map[string]any)["text"])
	require.Equal(t, 0.0, responses[3]["status"])
	require.Equal(t, "fault-1", entries[3].(map[string]any)["_fault"])
	require.NotEmpty(t, entries[3].(map[string]any)["_error"])
}

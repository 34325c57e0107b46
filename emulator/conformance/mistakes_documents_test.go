package conformance_test

import (
	"net/http"
	"net/url"
	"strings"
)

// documentMistakes returns mistakes about transcripts of recordings.
func documentMistakes() []mistake {
	return []mistake{
		{name: "vtt has the type text/plain", method: "GET", path: "/v1/recordings/", header: func(h http.Header) {
			if strings.HasPrefix(h.Get("Content-Type"), "text/vtt") {
				h.Set("Content-Type", "text/plain; charset=utf-8")
			}
		}, fails: []string{"recordings.transcript.format.vtt", "recordings.transcript.content-types"}},
		{name: "pdf is an HTML page", method: "GET", path: "/v1/recordings/", body: func(contentType, b string) string {
			if contentType == "application/pdf" {
				return "<html></html>"
			}
			return b
		}, fails: []string{"recordings.transcript.format.pdf"}},
		{name: "srt has no cue number", method: "GET", path: "/v1/recordings/", body: func(contentType, b string) string {
			if strings.HasPrefix(contentType, "application/x-subrip") {
				return strings.TrimPrefix(b, "1\r\n")
			}
			return b
		}, fails: []string{"recordings.transcript.format.srt"}},
		{name: "include_timestamp is ignored", method: "GET", path: "/v1/recordings/", request: query(func(q url.Values) { q.Del("include_timestamp") }),
			fails: []string{"recordings.transcript.timestamps", "errors.booleans"}},
		{name: "not completed returns 409", method: "GET", path: "/v1/recordings/", status: [2]int{400, 409},
			fails: []string{"recordings.transcript.needs-completed", "recordings.transcript.names-status", "recordings.transcript.format.unknown", "recordings.transcript.language.unknown", "suggestions.not-completed", "errors.booleans"}},
		{name: "a transcript has no language", method: "GET", path: "/v1/recordings/", edit: func(v map[string]any) {
			if _, ok := v["utterances"]; ok {
				delete(v, "language")
			}
		}, fails: []string{"recordings.transcript.json-shape", "recordings.transcript.language.utterances"}},
	}
}

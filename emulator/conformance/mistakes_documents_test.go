package conformance_test

import (
	"net/http"
	"net/url"
	"strings"
)

// documentMistakes is what it can do wrong about transcripts of recordings.
func documentMistakes() []mistake {
	return []mistake{
		{name: "another type of vtt", method: "GET", path: "/v1/recordings/", header: func(h http.Header) {
			if strings.HasPrefix(h.Get("Content-Type"), "text/vtt") {
				h.Set("Content-Type", "text/plain; charset=utf-8")
			}
		}, fails: []string{"recordings.transcript.format.vtt", "recordings.transcript.content-types"}},
		{name: "a page instead of a pdf", method: "GET", path: "/v1/recordings/", body: func(contentType, b string) string {
			if contentType == "application/pdf" {
				return "<html></html>"
			}
			return b
		}, fails: []string{"recordings.transcript.format.pdf"}},
		{name: "srt without numbers", method: "GET", path: "/v1/recordings/", body: func(contentType, b string) string {
			if strings.HasPrefix(contentType, "application/x-subrip") {
				return strings.TrimPrefix(b, "1\r\n")
			}
			return b
		}, fails: []string{"recordings.transcript.format.srt"}},
		{name: "timestamps stay", method: "GET", path: "/v1/recordings/", request: query(func(q url.Values) { q.Del("include_timestamp") }),
			fails: []string{"recordings.transcript.timestamps"}},
		{name: "not completed is 409", method: "GET", path: "/v1/recordings/", status: [2]int{400, 409},
			fails: []string{"recordings.transcript.needs-completed", "recordings.transcript.names-status", "recordings.transcript.format.unknown", "recordings.transcript.language.unknown", "suggestions.not-completed"}},
		{name: "a transcript without language", method: "GET", path: "/v1/recordings/", edit: func(v map[string]any) {
			if _, ok := v["utterances"]; ok {
				delete(v, "language")
			}
		}, fails: []string{"recordings.transcript.json-shape", "recordings.transcript.language.utterances"}},
	}
}

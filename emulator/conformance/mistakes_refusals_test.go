package conformance_test

import "net/http"

// refusalMistakes returns mistakes about errors.
func refusalMistakes() []mistake {
	return []mistake{
		{name: "errors have message instead of error", method: "GET", path: "/v1/", edit: func(v map[string]any) {
			if s, ok := v["error"].(string); ok && len(v) == 1 {
				v["message"] = s
				delete(v, "error")
			}
		}, fails: []string{"errors.general", "errors.only-error", "auth.no-plan"}},
		{name: "errors have a second member", method: "GET", path: "/v1/", edit: func(v map[string]any) {
			if _, ok := v["error"].(string); ok {
				v["stack"] = "main.go:7"
			}
		}, fails: []string{"errors.only-error"}},
		{name: "JSON has the type text/html", method: "GET", path: "/v1/recordings/", header: func(h http.Header) { h.Set("Content-Type", "text/html") }, fails: []string{"answers.json", "recordings.transcript.format.json", "recordings.transcript.format.txt", "recordings.transcript.format.vtt", "recordings.transcript.format.csv", "recordings.transcript.format.pdf", "recordings.transcript.format.docx", "recordings.transcript.content-types"}},
		{name: "ids are in upper case", method: "GET", path: "/v1/renders/*$", edit: set("0195D3A0-0000-4000-8000-000000000001", "render", "id"), fails: []string{"answers.ids"}},
		{name: "a wrong method returns 404", method: "DELETE", path: "/v1/", status: [2]int{405, 404}, fails: []string{"errors.wrong-method"}},
		{name: "an unknown path returns 400", method: "GET", path: "/v1/no-such-endpoint$", status: [2]int{404, 400}, fails: []string{"errors.unknown-path"}},
		{name: "no Allow", method: "DELETE", path: "/v1/", header: func(h http.Header) { h.Del("Allow") }, fails: []string{"errors.wrong-method"}},
		{name: "not found returns 503", method: "GET", path: "/v1/recordings/", status: [2]int{404, 503}, fails: []string{"recordings.get.unknown", "answers.no-5xx", "recordings.transcript.unknown", "recordings.outputs.unknown", "labels.list.unknown", "suggestions.unknown", "isolation.recordings", "isolation.outputs", "isolation.labels"}},
		{name: "unknown members are refused", method: "POST", path: "/v1/uploads$", request: replaceBody(`"no_such_member":true`, `"content_size":0`),
			fails: []string{"errors.unknown-members"}},
	}
}

package conformance_test

import "net/http"

// refusalsMistakes is what it can do wrong about errors.
func refusalsMistakes() []mistake {
	return []mistake{
		{name: "errors of another shape", method: "GET", path: "/v1/", edit: func(v map[string]any) {
			if s, ok := v["error"].(string); ok && len(v) == 1 {
				v["message"] = s
				delete(v, "error")
			}
		}, fails: []string{"errors.general", "errors.only-error"}},
		{name: "errors say more", method: "GET", path: "/v1/", edit: func(v map[string]any) {
			if _, ok := v["error"]; ok {
				v["stack"] = "main.go:7"
			}
		}, fails: []string{"errors.only-error"}},
		{name: "JSON that isn't said", method: "GET", path: "/v1/recordings/", header: func(h http.Header) { h.Set("Content-Type", "text/html") }, fails: []string{"answers.json"}},
		{name: "no Allow", method: "DELETE", path: "/v1/", header: func(h http.Header) { h.Del("Allow") }, fails: []string{"errors.wrong-method"}},
		{name: "a server that breaks", method: "GET", path: "/v1/recordings/", status: [2]int{404, 503}, fails: []string{"recordings.get.unknown", "answers.no-5xx"}},
		{name: "unknown members are refused", method: "POST", path: "/v1/uploads$", request: replaceBody(`"no_such_member":true`, `"content_size":0`),
			fails: []string{"errors.unknown-members"}},
	}
}

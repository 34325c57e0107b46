package conformance

import (
	"net/http"
	"strings"
)

// endpoint is one operation of /v1 and how to find out that a server doesn't offer it at all: a request with ids that
// exist and the body {}, or nothing, is then 404, 405 or 501.
type endpoint struct {
	method, path string
	try          string // path of the request; "" when it is offered if the endpoint "by" is
	by           string // "POST /v1/chat"
}

// endpoints is every operation of /v1. A word in braces stands for any id.
func endpoints() []endpoint {
	return []endpoint{
		{"GET", "/v1/spaces", "/v1/spaces", ""},
		{"POST", "/v1/uploads", "/v1/uploads", ""},
		{"GET", "/v1/recordings", "/v1/recordings", ""},
		{"POST", "/v1/recordings", "/v1/recordings", ""},
		{"GET", "/v1/recordings/{id}", "", "POST /v1/recordings"},
		{"GET", "/v1/recordings/{id}/transcript", "/v1/recordings/{recording}/transcript", ""},
		{"GET", "/v1/recordings/{id}/outputs", "/v1/recordings/{recording}/outputs", ""},
		{"GET", "/v1/recordings/{id}/speakers", "/v1/recordings/{recording}/speakers", ""},
		{"POST", "/v1/recordings/{id}/speakers/assign", "/v1/recordings/{recording}/speakers/assign", ""},
		{"POST", "/v1/recordings/{id}/speakers/unassign", "/v1/recordings/{recording}/speakers/unassign", ""},
		{"POST", "/v1/recordings/{id}/generate", "/v1/recordings/{recording}/generate", ""},
		{"GET", "/v1/recordings/{id}/clip-suggestions", "/v1/recordings/{recording}/clip-suggestions", ""},
		{"GET", "/v1/spaces/{id}/speakers", "/v1/spaces/{space}/speakers", ""},
		{"POST", "/v1/spaces/{id}/speakers", "/v1/spaces/{space}/speakers", ""},
		{"PATCH", "/v1/speakers/{id}", "", "POST /v1/spaces/{id}/speakers"},
		{"POST", "/v1/transcripts", "/v1/transcripts", ""},
		{"GET", "/v1/transcripts/{id}", "", "POST /v1/transcripts"},
		{"POST", "/v1/imports", "/v1/imports", ""},
		{"GET", "/v1/imports/{id}", "", "POST /v1/imports"},
		{"GET", "/v1/prompts", "/v1/prompts", ""},
		{"POST", "/v1/prompts", "/v1/prompts", ""},
		{"GET", "/v1/outputs/{id}", "", "POST /v1/recordings/{id}/generate"},
		{"POST", "/v1/chat", "/v1/chat", ""},
		{"GET", "/v1/chat/{id}", "", "POST /v1/chat"},
		{"POST", "/v1/renders", "/v1/renders", ""},
		{"GET", "/v1/renders/{id}", "", "POST /v1/renders"},
		{"GET", "/v1/search", "/v1/search?query=speech", ""},
		{"GET", "/v1/usage", "/v1/usage", ""},
		{"GET", "/v1/webhooks", "/v1/webhooks", ""},
		{"POST", "/v1/webhooks", "/v1/webhooks", ""},
		{"GET", "/v1/webhooks/{id}", "", "POST /v1/webhooks"},
		{"PATCH", "/v1/webhooks/{id}", "", "POST /v1/webhooks"},
		{"DELETE", "/v1/webhooks/{id}", "", "POST /v1/webhooks"},
		{"POST", "/v1/webhooks/{id}/test", "", "POST /v1/webhooks"},
		{"POST", "/v1/webhooks/{id}/rotate-secret", "", "POST /v1/webhooks"},
		{"GET", "/v1/webhooks/{id}/deliveries", "", "POST /v1/webhooks"},
		{"POST", "/v1/webhooks/{id}/deliveries/{delivery}/replay", "", "POST /v1/webhooks"},
	}
}

// offered ends the check as not applicable when the server doesn't offer the endpoint of a request.
func (p *probe) offered(method, path string) {
	e, ok := endpointOf(method, path)
	if !ok {
		return
	}
	if !p.has(e) {
		p.skip("the server does not offer %s %s", method, e.path)
	}
}

// has reports whether the server offers an endpoint. It asks once.
func (p *probe) has(e endpoint) bool {
	if e.by != "" {
		method, path, _ := strings.Cut(e.by, " ")
		e, _ = endpointOf(method, path)
	}
	return once(p, "answer of "+e.method+" "+e.path, func(p *probe) bool { return p.offers(e) })
}

// offers asks the server for an endpoint.
func (p *probe) offers(e endpoint) bool {
	body := ""
	if e.method != http.MethodGet {
		body = "{}"
	}
	a := p.send(e.method, p.session.config.BaseURL+p.expand(e.try), []byte(body), "application/json")
	switch a.status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		p.session.lacks(e.method + " " + e.path)
		return false
	}
	return true
}

// endpointOf finds the endpoint that a request is for.
func endpointOf(method, path string) (endpoint, bool) {
	path, _, _ = strings.Cut(path, "?")
	for _, e := range endpoints() {
		if e.method == method && matches(e.path, path) {
			return e, true
		}
	}
	return endpoint{}, false
}

// matches reports whether a path is one of a pattern, in which a word in braces stands for any.
func matches(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != got[i] && !strings.HasPrefix(want[i], "{") || got[i] == "" && i > 0 {
			return false
		}
	}
	return true
}

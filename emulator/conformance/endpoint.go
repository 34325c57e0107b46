package conformance

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/emulator/api"
)

// endpoint is one operation of /v1 and how to find out that a server doesn't offer it at all: a request with ids that
// exist and the body {}, or nothing, is then 404, 405 or 501.
type endpoint struct {
	method, path string
	try          string // path of the request; "" when it is offered if the endpoint "by" is
	by           string // "POST /v1/chat"
}

// haves are the collections of which every run has something, by the name that stands for its id.
var haves = map[string]string{"/v1/spaces": "{space}", "/v1/recordings": "{recording}"}

// makers are the endpoints that make what a collection has, where that isn't a POST to the collection itself.
var makers = map[string]string{"/v1/speakers": "POST /v1/spaces/{space_id}/speakers", "/v1/outputs": "POST /v1/recordings/{id}/generate"}

// queries are what some endpoints are asked.
var queries = map[string]string{"GET /v1/search": "?query=speech"}

// endpoints returns every operation of the contract under /v1, by path. A word in braces stands for any id.
var endpoints = sync.OnceValue(func() (all []endpoint) {
	for _, op := range api.Operations() {
		if strings.HasPrefix(op.Path, "/v1/") {
			all = append(all, endpointFor(op.Method, op.Path))
		}
	}
	slices.SortFunc(all, func(a, b endpoint) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.method, b.method))
	})
	return all
})

// endpointFor finds out how an endpoint is asked for: with an id of what there is, or by whether things of its kind can be made.
func endpointFor(method, path string) endpoint {
	e := endpoint{method: method, path: path}
	collection, of, named := strings.Cut(path, "/{")
	_, rest, _ := strings.Cut(of, "}")
	switch id := haves[collection]; {
	case !named:
		e.try = path + queries[method+" "+path]
	case id != "" && rest != "" && !strings.Contains(rest, "{"):
		e.try = collection + "/" + id + rest
	default:
		e.by = cmp.Or(makers[collection], http.MethodPost+" "+collection)
	}
	return e
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

package conformance

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/emulator/api"
)

// endpoint is one operation of /v1 and how to find out whether a server offers it. A server that doesn't returns 404, 405, or
// 501 to a request with existing ids and the body {} or none.
type endpoint struct {
	method, path string
	probePath    string // path to request; "" if the endpoint is offered whenever its creator is
	creator      string // endpoint that creates the resource, such as "POST /v1/chat"
}

// existingIDs maps the collections that are never empty during a run to the placeholder of an id in them.
var existingIDs = map[string]string{"/v1/spaces": "{space}", "/v1/recordings": "{recording}"}

// creators maps a collection to the endpoint that creates its items, unless that is a POST to the collection.
var creators = map[string]string{"/v1/speakers": "POST /v1/spaces/{space_id}/speakers", "/v1/outputs": "POST /v1/recordings/{id}/generate"}

// queries holds the query strings that some endpoints require.
var queries = map[string]string{"GET /v1/search": "?query=speech"}

// endpoints returns every operation of the contract under /v1, sorted by path and method. A word in braces is any id.
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

// endpointFor returns an endpoint with its probe: a request with an existing id, or else the endpoint that creates its resource.
func endpointFor(method, path string) endpoint {
	e := endpoint{method: method, path: path}
	collection, of, named := strings.Cut(path, "/{")
	_, rest, _ := strings.Cut(of, "}")
	switch id := existingIDs[collection]; {
	case !named:
		e.probePath = path + queries[method+" "+path]
	case id != "" && rest != "" && !strings.Contains(rest, "{"):
		e.probePath = collection + "/" + id + rest
	default:
		e.creator = cmp.Or(creators[collection], http.MethodPost+" "+collection)
	}
	return e
}

// offered ends the check as not applicable if the server doesn't offer the endpoint of a request.
func (p *probe) offered(method, path string) {
	e, ok := endpointOf(method, path)
	if !ok {
		return
	}
	if !p.has(e) {
		p.skip("the server does not offer %s %s", method, e.path)
	}
}

// has reports whether the server offers an endpoint. It sends at most one request for each endpoint.
func (p *probe) has(e endpoint) bool {
	if e.creator != "" {
		method, path, _ := strings.Cut(e.creator, " ")
		e, _ = endpointOf(method, path)
	}
	return once(p, "answer of "+e.method+" "+e.path, func(p *probe) bool { return p.offers(e) })
}

// offers sends a request to an endpoint and reports whether the server offers it.
func (p *probe) offers(e endpoint) bool {
	body := ""
	if e.method != http.MethodGet {
		body = "{}"
	}
	a := p.send(e.method, p.session.config.BaseURL+p.expand(e.probePath), []byte(body), "application/json")
	switch a.status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		p.session.addMissing(e.method + " " + e.path)
		return false
	}
	return true
}

// endpointOf returns the endpoint that a request addresses.
func endpointOf(method, path string) (endpoint, bool) {
	path, _, _ = strings.Cut(path, "?")
	for _, e := range endpoints() {
		if e.method == method && matches(e.path, path) {
			return e, true
		}
	}
	return endpoint{}, false
}

// matches reports whether a path matches a pattern, in which a word in braces matches any segment.
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

package api

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	// warningHeader tells a client what of its request was ignored. The service ignores it too, but a typing error that is never told
	// costs its author an afternoon.
	warningHeader = "X-Soundstage-Warning"
	maxWarnings   = 8  // of one answer
	maxNamed      = 64 // bytes of a name in a warning
)

// warn names what is unknown, each in a header of its own.
func warn(w http.ResponseWriter, what string, names []string) {
	slices.Sort(names)
	for i, name := range names {
		if i == maxWarnings {
			w.Header().Add(warningHeader, strconv.Itoa(len(names)-i)+" more of these were ignored")
			return
		}
		w.Header().Add(warningHeader, what+" "+strconv.QuoteToASCII(name[:min(len(name), maxNamed)])+" was ignored")
	}
}

// warnOfQuery tells the parameters of a request that its operation doesn't have, and a body that nobody reads.
func warnOfQuery(w http.ResponseWriter, req *http.Request) {
	if req.URL.RawQuery == "" && req.ContentLength <= 0 {
		return
	}
	op := findOperation(req.Method, req.URL.EscapedPath())
	if op == nil {
		return
	}
	if op.Members == nil && req.ContentLength > 0 {
		w.Header().Add(warningHeader, "the body of the request was ignored")
	}
	q, _ := url.ParseQuery(req.URL.RawQuery) // what is malformed is refused by the operations that read it
	var unknown []string
	for name := range q {
		if !slices.Contains(op.Query, name) {
			unknown = append(unknown, name)
		}
	}
	warn(w, "unknown query parameter", unknown)
}

// warnOfMembers tells the members of a body that its operation doesn't have.
func warnOfMembers(w http.ResponseWriter, req *http.Request, b *body) {
	op := findOperation(req.Method, req.URL.EscapedPath())
	if op == nil {
		return
	}
	var unknown []string
	for name := range maps.Keys(b.members) {
		if !slices.Contains(op.Members, name) {
			unknown = append(unknown, strings.ToValidUTF8(name, "?"))
		}
	}
	warn(w, "unknown member", unknown)
}

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
	// warningHeader names an ignored part of the request. The hosted service ignores it silently, which makes typing errors hard to find.
	warningHeader = "X-Soundstage-Warning"
	maxWarnings   = 8  // per response
	maxNamed      = 64 // longest name in a warning, in bytes
)

// warn adds one warning header for each unknown name.
func warn(w http.ResponseWriter, what string, names []string) {
	slices.Sort(names)
	for i, name := range names {
		if i == maxWarnings {
			w.Header().Add(warningHeader, strconv.Itoa(len(names)-i)+" more were ignored")
			return
		}
		w.Header().Add(warningHeader, what+" "+strconv.QuoteToASCII(name[:min(len(name), maxNamed)])+" was ignored")
	}
}

// warnOfQuery adds warnings for query parameters that the operation doesn't have, and for a body that it doesn't read.
func warnOfQuery(w http.ResponseWriter, req *http.Request) {
	if req.URL.RawQuery == "" && req.ContentLength <= 0 {
		return
	}
	op := findOperation(req.Method, req.URL.EscapedPath())
	if op == nil {
		return
	}
	if op.Members == nil && req.ContentLength > 0 {
		w.Header().Add(warningHeader, "the request body was ignored")
	}
	q, _ := url.ParseQuery(req.URL.RawQuery) // operations that read the query reject malformed ones
	var unknown []string
	for name := range q {
		if !slices.Contains(op.Query, name) {
			unknown = append(unknown, name)
		}
	}
	warn(w, "unknown query parameter", unknown)
}

// warnOfMembers adds warnings for body fields that the operation doesn't have.
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
	warn(w, "unknown field", unknown)
}

package api

import (
	"net/http"
	"path"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// ExactPaths returns a handler that gives other the requests whose path has an empty, "." or ".." segment, and mux all others. By itself, a
// ServeMux redirects them to another path: without a check of the secret, without the request log, and perhaps to another resource.
func ExactPaths(mux *http.ServeMux, other http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if isExact(req) {
			mux.ServeHTTP(w, req)
		} else {
			other.ServeHTTP(w, req)
		}
	})
}

// isExact reports whether a request's path starts with a slash and has no empty, "." or ".." segment. A slash at the end is allowed. Escaped
// slashes and dots belong to a segment.
func isExact(req *http.Request) bool {
	escaped := req.URL.EscapedPath()
	if escaped == "/" {
		return true
	}
	rest, ok := strings.CutPrefix(escaped, path.Clean(escaped))
	return ok && escaped[0] == '/' && escaped != "//" && (rest == "" || rest == "/")
}

// unknownPath handles requests for paths without an endpoint. Under /v1, the checks that come before all others decide first.
func unknownPath(w http.ResponseWriter, req *http.Request) {
	if !isUnderV1(req.URL.Path) {
		WriteErrorFor(w, req, engine.Errorf(engine.CodeNotFound, "", "There is nothing at this path.").WithHint("Paths of the API begin with /v1/."))
		return
	}
	a := apiOf(w)
	if _, err := a.admit(w, req); err != nil {
		a.fail(w, req, err)
		return
	}
	sentence := "There is no such endpoint."
	if !isExact(req) {
		sentence = `There is no such endpoint: the path has an empty, ".", or ".." segment.`
		w.Header().Set("X-Soundstage-Hint", "Check that no id in the path is empty.")
	}
	w.Header().Set(reasonHeader, joinStatements("errors.unknown-path"))
	writeJSON(w, http.StatusNotFound, errorBody{Error: sentence})
}

// isUnderV1 reports whether a path, as it is or cleaned, is one of the API. What begins like a signed URL is for the storage.
func isUnderV1(p string) bool {
	p += "/"
	return strings.HasPrefix(p, "/v1/") || !strings.HasPrefix(p, storagePath) && strings.HasPrefix(path.Clean(p)+"/", "/v1/")
}

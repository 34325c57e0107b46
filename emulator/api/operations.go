package api

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Operation is one operation of the contract, under /v1 or a signed URL under /storage.
type Operation struct {
	ID      string   // operationId of the contract: "createUpload"
	Method  string   // "POST"
	Path    string   // "/v1/recordings/{id}"
	Query   []string // query parameters, sorted
	Members []string // fields of the JSON body, sorted; nil when it takes no JSON

	refusals []refusal // error statuses
}

// refusal is an error status of an operation with the contract's description of it.
type refusal struct {
	status int
	why    string // followed by the provenance in parentheses
}

// Operations returns every operation of the contract, sorted by ID. Callers must not modify the slice.
func Operations() []Operation { return operations }

// OperationOf returns the operation ID for a request and the first resource ID in its path; both are "" for an unknown operation. path is
// the escaped path of the request. HEAD counts as GET.
func OperationOf(method, path string) (id, resource string) {
	op := findOperation(method, path)
	if op == nil {
		return "", ""
	}
	for segment := range strings.SplitSeq(op.Path, "/") {
		var word string
		word, path, _ = strings.Cut(path, "/")
		if strings.HasPrefix(segment, "{") {
			if plain, err := url.PathUnescape(word); err == nil {
				word = plain
			}
			return op.ID, word
		}
	}
	return op.ID, ""
}

func findOperation(method, path string) *Operation {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for i, prefix := range pathPrefixes() {
		if op := &operations[i]; op.Method == method && strings.HasPrefix(path, prefix) && PathMatches(op.Path, path) {
			return op
		}
	}
	return nil
}

// pathPrefixes are the path prefixes of all operations, up to the first variable. Comparing them first rules out most operations.
var pathPrefixes = sync.OnceValue(func() []string {
	all := make([]string, len(operations))
	for i, op := range operations {
		all[i], _, _ = strings.Cut(op.Path, "{")
	}
	return all
})

// PathMatches reports whether a path matches a pattern, in which a segment in braces matches any segment that is not empty, "." or "..".
func PathMatches(pattern, path string) bool {
	for {
		want, moreWanted, wants := strings.Cut(pattern, "/")
		got, moreGot, has := strings.Cut(path, "/")
		if want != got && (got == "" || got == "." || got == ".." || !strings.HasPrefix(want, "{")) || wants != has {
			return false
		}
		if !wants {
			return true
		}
		pattern, path = moreWanted, moreGot
	}
}

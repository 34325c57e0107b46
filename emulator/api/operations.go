package api

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Operation is an operation of the contract: of /v1, or of the signed addresses under /storage.
type Operation struct {
	ID      string   // operationId of the contract: "createUpload"
	Method  string   // "POST"
	Path    string   // "/v1/recordings/{id}"
	Query   []string // parameters that it has, in alphabetic order
	Members []string // members that its body may have, in alphabetic order; nil when it takes no JSON

	refusals []refusal // its statuses from 400 on
}

// refusal is a status that the contract gives an operation, and what it says about it.
type refusal struct {
	status int
	why    string // with the provenance in parentheses
}

// Operations returns every operation of the contract, in alphabetic order of their ids. Callers must not change it.
func Operations() []Operation { return operations }

// OperationOf returns the id of the operation that a request is for, and the id of the resource that its path names first, both ""
// when there is none. path is the escaped path of the request. A HEAD is for the operation of the GET.
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
	for i := range operations {
		if op := &operations[i]; op.Method == method && strings.HasPrefix(path, beginnings()[i]) && PathMatches(op.Path, path) {
			return op
		}
	}
	return nil
}

// beginnings are what the paths of all operations begin with, up to their first variable: most operations are ruled out by it.
var beginnings = sync.OnceValue(func() []string {
	all := make([]string, len(operations))
	for i, op := range operations {
		all[i], _, _ = strings.Cut(op.Path, "{")
	}
	return all
})

// PathMatches reports whether a path is one of a pattern, in which a word in braces stands for any word.
func PathMatches(pattern, path string) bool {
	for {
		want, moreWanted, wants := strings.Cut(pattern, "/")
		got, moreGot, has := strings.Cut(path, "/")
		if want != got && (got == "" || !strings.HasPrefix(want, "{")) || wants != has {
			return false
		}
		if !wants {
			return true
		}
		pattern, path = moreWanted, moreGot
	}
}

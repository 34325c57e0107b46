// Package contract compares HTTP exchanges with an OpenAPI document, in tests. Start with Parse. Check is middleware that fails the test when
// a request or a response doesn't match. Programs don't link it: its library takes several milliseconds of each start. Package drift compares
// recorded exchanges.
//
//	c, err := contract.Parse(api.Spec)
//	server := httptest.NewServer(c.Check(t, handler))
package contract

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/soundstage-dev/soundstage/formats"
)

// T is the part of testing.TB that Check needs.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Contract is a parsed OpenAPI document.
type Contract struct {
	Doc    *openapi3.T
	router routers.Router
	roots  []string // first segments of its paths: "/v1/"
}

// register makes the validator accept media, YAML, and documents (every transcript format except JSON and plain text) as opaque bytes. The
// validator's decoders are global and not safe to change while it runs, so they are registered once.
var register = sync.OnceFunc(func() {
	documents := []string{"application/xml", "application/yaml", "video/mp4", "multipart/byteranges"}
	for _, f := range formats.Standard() {
		if mediaType, _, err := mime.ParseMediaType(f.ContentType); err == nil && mediaType != "application/json" && mediaType != "text/plain" {
			documents = append(documents, mediaType)
		}
	}
	for _, mediaType := range documents {
		openapi3filter.RegisterBodyDecoder(mediaType, openapi3filter.FileBodyDecoder)
	}
})

// Parse parses and validates an OpenAPI document.
func Parse(spec []byte) (*Contract, error) {
	register()
	doc, err := openapi3.NewLoader().LoadFromData(spec)
	if err != nil {
		return nil, err
	}
	if err := doc.Validate(context.Background()); err != nil {
		return nil, err
	}
	doc.Servers = nil // accept any host
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, err
	}
	return &Contract{Doc: doc, router: router, roots: roots(doc)}, nil
}

// roots returns the distinct first segments of a document's paths.
func roots(doc *openapi3.T) (all []string) {
	for path := range doc.Paths.Map() {
		first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		if root := "/" + first + "/"; !slices.Contains(all, root) {
			all = append(all, root)
		}
	}
	return all
}

// covers reports whether a path begins with one of the document's roots.
func (c *Contract) covers(path string) bool {
	return slices.ContainsFunc(c.roots, func(root string) bool { return strings.HasPrefix(path, root) })
}

// unknownStatuses are the statuses of undocumented paths and methods.
var unknownStatuses = []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}

// Check returns a handler that validates the exchanges of next. An exchange fails t in three cases: the document doesn't allow the response
// for its status; an invalid request gets a status other than 4xx; or an undocumented path gets a status other than 404, 405, or one of a
// caller that is not admitted (401, 403, 429).
func (c *Contract) Check(t T, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !c.covers(req.URL.Path) || req.Method == http.MethodHead { // HTTP defines HEAD as GET without the body
			next.ServeHTTP(w, req)
			return
		}
		t.Helper()
		where := req.Method + " " + req.URL.RequestURI()
		in, requestErr := c.request(req)
		rec := &capture{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(rec, req)
		switch {
		case in == nil && !slices.Contains(unknownStatuses, rec.status):
			t.Errorf("%s: not in the contract, but the status is %d", where, rec.status)
		case in == nil:
		case requestErr != nil && (rec.status < 400 || rec.status >= 500):
			t.Errorf("%s: the request does not match the contract, but the status is %d: %v", where, rec.status, requestErr)
		default:
			if err := c.response(req, in, rec); err != nil {
				t.Errorf("%s: the response %d does not match the contract: %v\n%s", where, rec.status, err, rec.body.String())
			}
		}
	})
}

// request finds the operation and validates the request. in is nil for an unknown operation.
func (c *Contract) request(req *http.Request) (in *openapi3filter.RequestValidationInput, err error) {
	route, params, err := c.router.FindRoute(req)
	if err != nil {
		return nil, nil //nolint:nilerr // unknown operation: the caller handles it
	}
	in = &openapi3filter.RequestValidationInput{
		Request: req, PathParams: params, Route: route,
		Options: &openapi3filter.Options{
			AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
			IncludeResponseStatus: true,
			ExcludeRequestBody:    strings.HasPrefix(req.URL.Path, "/storage/"), // media is streamed, not validated
		},
	}
	if in.Options.ExcludeRequestBody || req.Body == nil {
		return in, openapi3filter.ValidateRequest(req.Context(), in)
	}
	// The validator reads up to 2 MiB of the body. The handler gets the same bytes, then the rest of a larger body.
	head, readErr := io.ReadAll(io.LimitReader(req.Body, 2<<20))
	rest := req.Body
	clone := req.Clone(req.Context())
	clone.Body = io.NopCloser(bytes.NewReader(head))
	in.Request = clone
	err = openapi3filter.ValidateRequest(req.Context(), in)
	var tail io.Reader = rest
	if readErr != nil {
		tail = errorReader{readErr}
	}
	req.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), tail), rest}
	return in, err
}

func (c *Contract) response(req *http.Request, in *openapi3filter.RequestValidationInput, rec *capture) error {
	if in.Route.Operation.Responses.Status(rec.status) == nil {
		return fmt.Errorf("the status is not documented")
	}
	body := rec.body.Bytes()
	return openapi3filter.ValidateResponse(req.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: rec.status, Header: rec.Header(),
		Body: io.NopCloser(bytes.NewReader(body)), Options: in.Options,
	})
}

type errorReader struct{ err error }

func (f errorReader) Read([]byte) (int, error) { return 0, f.err }

// capture is a ResponseWriter that keeps a copy of the response.
type capture struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (c *capture) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *capture) Write(p []byte) (int, error) {
	c.body.Write(p)
	return c.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (c *capture) Unwrap() http.ResponseWriter { return c.ResponseWriter }

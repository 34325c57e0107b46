// Package contract holds exchanges over HTTP against the OpenAPI document: a middleware for tests that fails the test whose
// request or response doesn't fit. It is linked into tests only.
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

// T is the part of testing.TB that reports what doesn't fit.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Contract is a parsed OpenAPI document.
type Contract struct {
	Doc    *openapi3.T
	router routers.Router
	roots  []string // how its paths begin: "/v1/"
}

// register has the validator take whole documents as they are: every format of transcripts but JSON and plain text, and the media of
// other operations. Decoders are the validator's own list, which nobody may change while it works.
var register = sync.OnceFunc(func() {
	documents := []string{"application/xml", "video/mp4", "multipart/byteranges"}
	for _, f := range formats.All() {
		if mediaType, _, err := mime.ParseMediaType(f.ContentType); err == nil && mediaType != "application/json" && mediaType != "text/plain" {
			documents = append(documents, mediaType)
		}
	}
	for _, mediaType := range documents {
		openapi3filter.RegisterBodyDecoder(mediaType, openapi3filter.FileBodyDecoder)
	}
})

// Parse reads and checks an OpenAPI document.
func Parse(spec []byte) (*Contract, error) {
	register()
	doc, err := openapi3.NewLoader().LoadFromData(spec)
	if err != nil {
		return nil, err
	}
	if err := doc.Validate(context.Background()); err != nil {
		return nil, err
	}
	doc.Servers = nil // any host will do
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, err
	}
	return &Contract{Doc: doc, router: router, roots: roots(doc)}, nil
}

// roots are the first words of a document's paths.
func roots(doc *openapi3.T) (all []string) {
	for path := range doc.Paths.Map() {
		first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		if root := "/" + first + "/"; !slices.Contains(all, root) {
			all = append(all, root)
		}
	}
	return all
}

// covers reports whether a path begins as those of the document do.
func (c *Contract) covers(path string) bool {
	return slices.ContainsFunc(c.roots, func(root string) bool { return strings.HasPrefix(path, root) })
}

// Check wraps a handler. An exchange fails t when the response isn't one that the document gives for its status; when a
// request that doesn't fit the document is answered with anything but a 4xx; or when a path that the document doesn't have
// is answered with anything but 404 or 405.
func (c *Contract) Check(t T, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !c.covers(req.URL.Path) || req.Method == http.MethodHead { // HEAD is HTTP's: GET without the body
			next.ServeHTTP(w, req)
			return
		}
		t.Helper()
		where := req.Method + " " + req.URL.RequestURI()
		in, requestErr := c.request(req)
		rec := &capture{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(rec, req)
		switch {
		case in == nil && rec.status != http.StatusNotFound && rec.status != http.StatusMethodNotAllowed:
			t.Errorf("%s: not in the contract, but answered with %d", where, rec.status)
		case in == nil:
		case requestErr != nil && (rec.status < 400 || rec.status >= 500):
			t.Errorf("%s: the request does not fit the contract, but was answered with %d: %v", where, rec.status, requestErr)
		default:
			if err := c.response(req, in, rec); err != nil {
				t.Errorf("%s: the response %d does not fit the contract: %v\n%s", where, rec.status, err, rec.body.String())
			}
		}
	})
}

// request finds the operation and validates the request; in is nil when there is none.
func (c *Contract) request(req *http.Request) (in *openapi3filter.RequestValidationInput, err error) {
	route, params, err := c.router.FindRoute(req)
	if err != nil {
		return nil, nil //nolint:nilerr // no such operation: the caller says what follows
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
	// The validator reads the body, the handler gets the same bytes again, followed by whatever is left of a huge one.
	head, readErr := io.ReadAll(io.LimitReader(req.Body, 2<<20))
	rest := req.Body
	clone := req.Clone(req.Context())
	clone.Body = io.NopCloser(bytes.NewReader(head))
	in.Request = clone
	err = openapi3filter.ValidateRequest(req.Context(), in)
	var tail io.Reader = rest
	if readErr != nil {
		tail = failing{readErr}
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

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// capture keeps a copy of the response.
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

// Package api serves /v1 of the Transcription and Content Service for an engine: routes, JSON types, and the mapping of error codes to
// HTTP statuses. openapi.yaml is the contract of every endpoint, and tests validate each exchange against it. Start with New:
//
//	http.Handle("/", api.New(api.Config{Engine: e, Signer: signer}))
//
// The JSON types are written by hand. Generated server types can't express "null, but never absent". They need a pointer on every field
// to distinguish absent from zero, and they report validation errors in their own words instead of the specified ones.
package api

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// Spec is the OpenAPI 3.1 document of every endpoint.
//
//go:embed openapi.yaml
var Spec []byte

// Config configures the API. Engine and Signer are required.
type Config struct {
	Engine    *engine.Engine
	Signer    *files.Signer // signs and verifies URLs under /storage
	Log       *slog.Logger  // access log and failures; default none
	PublicURL string        // base of signed URLs, "https://host"; default the request's Host
	World     string        // world name in signed URLs, see WorldOfObject; default none

	RateLimits map[engine.Tier]int // requests per minute for each key of a tier; missing or 0: no limit
	Limiter    Limiter             // counts requests for RateLimits; default: counts in this process

	// Direct says which bytes clients send and read themselves. It requires that the engine's Blobs are engine.PresigningBlobs.
	Direct Direct

	RequestID func() string               // generates request IDs; default random
	Polled    func(context.Context, Poll) // called before each response to a poll; default none
	// Refuse, if not nil, returns the error that a magic input asks for, if any. Its arguments are "*" and the secret of every request;
	// "POST /v1/uploads" or "PUT {upload_url}" and the file name; "POST /v1/imports" and the URL.
	Refuse func(operation, input string) error
}

type api struct {
	engine    *engine.Engine
	signer    *files.Signer
	log       *slog.Logger
	publicURL string
	world     string
	rates     rates
	direct    Direct
	date      date
	requestID func() string
	polled    func(context.Context, Poll)
	refuse    func(operation, input string) error
}

// New returns the handler for /v1, the signed URLs under /storage, and /openapi.yaml.
func New(c Config) http.Handler {
	a := &api{
		engine: c.Engine, signer: c.Signer, log: c.Log, world: c.World, publicURL: strings.TrimRight(c.PublicURL, "/"), rates: rates{c.RateLimits, c.Limiter},
		direct: c.Direct, requestID: c.RequestID, polled: c.Polled, refuse: c.Refuse,
	}
	if a.rates.limiter == nil {
		a.rates.limiter = &windows{}
	}
	if a.requestID == nil {
		a.requestID = func() string { return rand.Text()[:16] }
	}
	if a.refuse == nil {
		a.refuse = func(string, string) error { return nil }
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	return a.observe(sharedMux())
}

// sharedMux is shared by all APIs of the process, because building it takes longer than building the rest of an API.
var sharedMux = sync.OnceValue(newMux)

// newMux builds the mux from the list in routes.go. A known path with another method gets 405, an unknown path 404. The request's recorder
// tells which API the request is for.
func newMux() http.Handler {
	mux := http.NewServeMux()
	allowed := map[string][]string{}
	for _, r := range routes {
		mux.HandleFunc(r.method+" "+r.path, func(w http.ResponseWriter, req *http.Request) {
			a := apiOf(w)
			if err := a.serve(w, req, r); err != nil {
				a.fail(w, req, err)
			}
		})
		allowed[r.path] = append(allowed[r.path], r.method)
		if r.method == http.MethodGet {
			allowed[r.path] = append(allowed[r.path], http.MethodHead)
		}
	}
	for path, methods := range allowed {
		mux.HandleFunc(path, func(w http.ResponseWriter, req *http.Request) {
			a := apiOf(w)
			if _, err := a.admit(w, req); err != nil {
				a.fail(w, req, err)
				return
			}
			w.Header().Set("Allow", strings.Join(methods, ", "))
			w.Header().Set(reasonHeader, joinStatements("errors.wrong-method"))
			writeJSON(w, http.StatusMethodNotAllowed, errorBody{Error: "This path does not support this method; the Allow header lists the methods it supports."})
		})
	}
	for _, path := range []string{"/", "/v1", "/v1/", "/storage", "GET " + storagePath, "PUT " + storagePath} { // the mux redirects /v1 without one
		mux.HandleFunc(path, unknownPath)
	}
	mux.HandleFunc("PUT "+storagePath+"{object}", func(w http.ResponseWriter, req *http.Request) { apiOf(w).putObject(w, req) })
	mux.HandleFunc("GET "+storagePath+"{object}", func(w http.ResponseWriter, req *http.Request) { apiOf(w).getObject(w, req) })
	mux.HandleFunc(storagePath, storageNotAllowed)
	mux.HandleFunc("GET /openapi.yaml", func(w http.ResponseWriter, req *http.Request) { WriteDocument(w, Spec, apiOf(w).baseURL(req)) })
	return ExactPaths(mux, http.HandlerFunc(unknownPath))
}

// admit runs the checks that come before all others, even for unknown paths: secret, plan, rate.
func (a *api) admit(w http.ResponseWriter, req *http.Request) (engine.Caller, error) {
	if err := a.refuseSecret(w, req); err != nil {
		return engine.Caller{}, err
	}
	caller, err := a.authenticate(req)
	if caller.KeyID != "" {
		noteCaller(w, caller)
	}
	if err != nil {
		return caller, err
	}
	return caller, a.rates.take(req.Context(), w, caller, a.engine.Now)
}

// serve runs the checks that all endpoints share (secret, plan, rate, tier), then the endpoint.
func (a *api) serve(w http.ResponseWriter, req *http.Request, r route) error {
	caller, err := a.admit(w, req)
	if err != nil {
		return err
	}
	if err := requireTier(caller, r.tier); err != nil {
		return err
	}
	if req.Body != nil && req.Body != http.NoBody {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(jsonTimeout))
	}
	warnOfQuery(w, req)
	a.poll(req, r, caller)
	return r.handle(a, w, req, caller)
}

// observe gives every request an ID, logs it without secrets, and turns a panic into a 500 without details.
func (a *api) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		start := time.Now()
		id := a.requestID()
		h := w.Header()
		h["Date"] = a.date.of(a.engine.Now())
		h["X-Content-Type-Options"] = noSniff
		h["X-Request-Id"] = []string{id}
		rec := &recorder{ResponseWriter: w, api: a, req: req}
		defer func() {
			if p := recover(); p != nil {
				if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(p)
				}
				a.log.Error("request panicked", "id", id, "panic", p, "stack", string(debug.Stack()))
				if rec.status == 0 {
					writeJSON(rec, http.StatusInternalServerError, errorBody{Error: engine.Message(nil)})
				}
			}
			if !a.log.Enabled(req.Context(), slog.LevelInfo) {
				return
			}
			// The query is not logged, because it may hold a signature. Headers are never logged.
			a.log.Info("request", "id", id, "method", req.Method, "path", req.URL.Path, "status", rec.status,
				"bytes", rec.bytes, "ms", float64(time.Since(start).Microseconds())/1000)
		}()
		next.ServeHTTP(rec, req)
	})
}

// date caches the Date header, which changes once per second.
type date struct{ last atomic.Pointer[cachedDate] }

type cachedDate struct {
	second int64
	value  []string // never modified
}

func (d *date) of(now time.Time) []string {
	last := d.last.Load()
	if second := now.Unix(); last == nil || last.second != second {
		last = &cachedDate{second, []string{now.UTC().Format(http.TimeFormat)}}
		d.last.Store(last)
	}
	return last.value
}

// CallerNoter is a ResponseWriter that wants to know the caller. A handler that wraps New's can pass one.
type CallerNoter interface{ NoteCaller(engine.Caller) }

// noteCaller calls every CallerNoter in the chain of wrapped writers.
func noteCaller(w http.ResponseWriter, c engine.Caller) {
	for w != nil {
		if n, ok := w.(CallerNoter); ok {
			n.NoteCaller(c)
		}
		u, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return
		}
		w = u.Unwrap()
	}
}

// recorder records a response's status and size, knows the API of the request, and gives every 4xx a reason header.
type recorder struct {
	http.ResponseWriter
	api    *api
	req    *http.Request
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= 200 {
		r.status = status
		ensureReason(r.ResponseWriter, r.req, status)
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// apiOf returns the API of the recorder in the chain of wrapped writers.
func apiOf(w http.ResponseWriter) *api {
	for {
		if r, ok := w.(*recorder); ok {
			return r.api
		}
		w = w.(interface{ Unwrap() http.ResponseWriter }).Unwrap()
	}
}

// Package api is /v1 of the Transcription and Content Service over an engine: the routes in one list, the wire types, and
// the table from the engine's error codes to HTTP statuses. openapi.yaml beside it is the contract of every endpoint; in
// tests each exchange is validated against it (package contract), while the types here are written by hand. Generated
// server types were weighed against that and lost: they can't say "null, never dropped" or tell an absent member from a
// zero without a pointer on every field, and a generator's checks answer in its own words instead of the specified ones.
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

// Config is what the API is made of. All but Log and PublicURL are required.
type Config struct {
	Engine    *engine.Engine
	Signer    *files.Signer // signs and verifies upload addresses
	Log       *slog.Logger  // access log and failures; default none
	PublicURL string        // base of signed addresses, "https://host"; default the request's own host
	World     string        // stands in signed addresses, for WorldOfObject; default none

	RateLimits map[engine.Tier]int // requests that a key of a tier may send in a minute; none is no limit

	RequestID func() string               // makes the ids of requests; default random
	Polled    func(context.Context, Poll) // is told of each look at something that may not be over, before it is answered; default none
	// Refuse, if not nil, is asked whether an input is refused for its own sake, whatever else is right: with the operation "*" and the
	// secret of every request, with "POST /v1/uploads" and "PUT {upload_url}" and the file name, with "POST /v1/imports" and the URL.
	Refuse func(operation, input string) error
}

type api struct {
	engine    *engine.Engine
	signer    *files.Signer
	log       *slog.Logger
	publicURL string
	world     string
	limiter   limiter
	date      date
	requestID func() string
	polled    func(context.Context, Poll)
	refuse    func(operation, input string) error
}

// New returns the handler of /v1, of the signed addresses under /storage, and of /openapi.yaml.
func New(c Config) http.Handler {
	a := &api{
		engine: c.Engine, signer: c.Signer, log: c.Log, world: c.World, publicURL: strings.TrimRight(c.PublicURL, "/"), limiter: limiter{limits: c.RateLimits},
		requestID: c.RequestID, polled: c.Polled, refuse: c.Refuse,
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

// sharedMux is the one mux of all APIs of the process: making it takes longer than making all the rest of one.
var sharedMux = sync.OnceValue(newMux)

// newMux routes by the list in routes.go. A known path with another method is 405, an unknown path 404. Which API a request
// is for is told by its recorder.
func newMux() *http.ServeMux {
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
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Allow", strings.Join(methods, ", "))
			w.Header().Set(reasonHeader, stated("errors.wrong-method"))
			writeJSON(w, http.StatusMethodNotAllowed, errorBody{Error: "This path does not offer this method; the Allow header lists those it does."})
		})
	}
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(reasonHeader, stated("errors.unknown-path"))
		writeJSON(w, http.StatusNotFound, errorBody{Error: "There is no such endpoint."})
	})
	mux.HandleFunc("PUT "+storagePath+"{object}", func(w http.ResponseWriter, req *http.Request) { apiOf(w).putObject(w, req) })
	mux.HandleFunc("GET "+storagePath+"{object}", func(w http.ResponseWriter, req *http.Request) { apiOf(w).getObject(w, req) })
	mux.HandleFunc(storagePath, storageNotAllowed)
	mux.HandleFunc("GET /openapi.yaml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/yaml")
		_, _ = w.Write(Spec)
	})
	return mux
}

// serve runs the checks of every endpoint in their order — key, plan, rate, tier — and then the endpoint's own.
func (a *api) serve(w http.ResponseWriter, req *http.Request, r route) error {
	if err := a.refuseSecret(w, req); err != nil {
		return err
	}
	caller, err := a.authenticate(req)
	if err != nil {
		return err
	}
	noteCaller(w, caller)
	if err := a.limiter.take(w, caller, a.engine.Now()); err != nil {
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

// observe gives every request an id, logs it without secrets, and turns a panic into a 500 that gives nothing away.
func (a *api) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		start := time.Now()
		id := a.requestID()
		h := w.Header()
		h["Date"] = a.date.of(a.engine.Now())
		h["X-Content-Type-Options"] = noSniff
		h.Set("X-Request-Id", id)
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
			// The query is left out: it may hold a signature. Headers are never logged.
			a.log.Info("request", "id", id, "method", req.Method, "path", req.URL.Path, "status", rec.status,
				"bytes", rec.bytes, "ms", float64(time.Since(start).Microseconds())/1000)
		}()
		next.ServeHTTP(rec, req)
	})
}

// date is the header Date, which is written once a second.
type date struct{ last atomic.Pointer[dated] }

type dated struct {
	second int64
	value  []string // nobody writes to it
}

func (d *date) of(now time.Time) []string {
	last := d.last.Load()
	if second := now.Unix(); last == nil || last.second != second {
		last = &dated{second, []string{now.UTC().Format(http.TimeFormat)}}
		d.last.Store(last)
	}
	return last.value
}

// CallerNoter is a ResponseWriter of whoever wraps the handler of New and wants to know who calls.
type CallerNoter interface{ NoteCaller(engine.Caller) }

// noteCaller tells every CallerNoter among the writers around w.
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

// recorder notes what was answered and by which API, and sees to it that no refusal is without its reason.
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
		giveReason(r.ResponseWriter, r.req, status)
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

// apiOf returns the API whose recorder w is, or wraps.
func apiOf(w http.ResponseWriter) *api {
	for {
		if r, ok := w.(*recorder); ok {
			return r.api
		}
		w = w.(interface{ Unwrap() http.ResponseWriter }).Unwrap()
	}
}

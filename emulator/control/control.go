// Package control is the sandbox's control API under /_soundstage. It offers what tests and operators need beside /v1: clock, worlds,
// faults, request log, webhook outbox, fixtures, and snapshots. openapi.yaml describes every endpoint. Start with Handler:
//
//	http.Handle("/_soundstage/", control.Handler(server, control.Guard{Token: token}))
package control

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
)

// Host is the server that the control API controls.
type Host interface {
	Health(context.Context) (Health, error)
	// World returns a world by name; "" is the default world. CodeNotFound.
	World(name string) (World, error)
	// Reset deletes everything in a world; "" is the default world. CodeNotFound; CodeConflict with a data folder.
	Reset(ctx context.Context, world string) error
	WorldHost
	SnapshotHost
	CapsuleHost
	SecretHost
	RequestHost
	// BaseURL returns the address at which the client of a request reaches the server, or "" for a host that is not allowed.
	BaseURL(req *http.Request) string
	// Assistants serves assistants by the Model Context Protocol, without sessions.
	Assistants() http.Handler
	// ShuttingDown is closed when the server starts to shut down.
	ShuttingDown() <-chan struct{}
}

// World is one of a server's worlds: an engine with its own data. Each file of this package adds the methods that it needs.
type World interface {
	Name() string
	Traffic() *traffic.Traffic // request log and faults
	ClockWorld
	Webhooks() *outbox.Outbox
	fixtureWorld
	liveWorld
	jobWorld
	countWorld
	mediaWorld
	renderWorld
}

// DefaultWorld is the name of the world that always exists.
const DefaultWorld = "default"

// The statuses of Health.
const (
	HealthOK       = "ok"
	HealthDegraded = "degraded" // stored data is damaged, or can't be written
)

// Health describes a running server.
type Health struct {
	Status    string         `json:"status"`             // HealthOK or HealthDegraded
	Problems  []string       `json:"problems,omitempty"` // what is wrong and what to do about it; only when degraded
	Checking  bool           `json:"checking"`           // a check of the database for damage runs in the background
	Version   string         `json:"version"`
	Clock     string         `json:"clock"`
	Ephemeral bool           `json:"ephemeral"`
	Worlds    int            `json:"worlds"` // number of worlds
	Counts    map[string]int `json:"counts"` // number of records by resource type
	Backends  Backends       `json:"backends"`
}

// routes maps endpoint patterns to handlers. Each file has its own.
type routes map[string]func(h Host, w http.ResponseWriter, req *http.Request) error

// endpoints are the routes of all files.
var endpoints = []routes{
	serverRoutes, contractRoutes, worldRoutes, requestRoutes, faultRoutes, clockRoutes, webhookRoutes, fixtureRoutes, snapshotRoutes,
	capsuleRoutes, eventRoutes, jobRoutes, countRoutes, secretRoutes, mediaRoutes, renderRoutes, assistantRoutes,
}

// Handler returns the handler for /_soundstage/ of a server. Every request must pass the guard.
func Handler(h Host, g Guard) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sharedMux().ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), serverKey{}, server{h, g})))
	})
}

// server is the context value that tells shared handlers which server a request is for.
type server struct {
	host  Host
	guard Guard
}

type serverKey struct{}

// sharedMux is shared by all servers of the process, because building it takes longer than building the rest of a server.
var sharedMux = sync.OnceValue(func() http.Handler {
	mux := http.NewServeMux()
	for _, list := range endpoints {
		for pattern, handle := range list {
			mux.HandleFunc(pattern, func(w http.ResponseWriter, req *http.Request) {
				s := req.Context().Value(serverKey{}).(server)
				err := s.guard.check(req)
				if err == nil {
					err = handle(s.host, w, req)
				}
				if err != nil {
					writeError(w, err)
				}
			})
		}
	}
	mux.HandleFunc("/_soundstage", unknownEndpoint) // otherwise the mux redirects it
	mux.HandleFunc("/_soundstage/", unknownEndpoint)
	return api.ExactPaths(mux, http.HandlerFunc(unknownEndpoint))
})

func unknownEndpoint(w http.ResponseWriter, req *http.Request) {
	if req.URL.Path == assistantPath {
		refuseMethod(w)
		return
	}
	writeError(w, engine.Errorf(engine.CodeNotFound, "control", "The control API has no endpoint %s %s.", req.Method, req.URL.Path).
		WithHint("GET /_soundstage/openapi.yaml lists every endpoint."))
}

// serverRoutes are the endpoints about the server itself.
var serverRoutes = routes{
	"GET /_soundstage/health": func(h Host, w http.ResponseWriter, req *http.Request) error {
		health, err := h.Health(req.Context())
		if err != nil {
			return err
		}
		status := http.StatusOK
		if health.Status != HealthOK {
			status = http.StatusServiceUnavailable
		}
		writeJSON(w, status, health)
		return nil
	},
	"POST /_soundstage/reset": func(h Host, w http.ResponseWriter, req *http.Request) error {
		err := h.Reset(req.Context(), worldName(req))
		if err == nil {
			writeJSON(w, http.StatusOK, statusBody{"ok"})
		}
		return err
	},
	"GET /_soundstage/fidelity": func(_ Host, w http.ResponseWriter, req *http.Request) error {
		serveFidelity(w, req)
		return nil
	},
}

type statusBody struct {
	Status string `json:"status"`
}

// worldName returns the world that a request names: the parameter world, else the header X-Soundstage-World, else "" for the default world.
func worldName(req *http.Request) string {
	return cmp.Or(req.URL.Query().Get("world"), req.Header.Get("X-Soundstage-World"))
}

// maxBody is the largest JSON request body, in bytes.
const maxBody = 1 << 20

// readBody decodes the JSON body of a request into v, a pointer to a struct. An unknown field is CodeInvalid. An empty body leaves v
// unchanged.
func readBody(w http.ResponseWriter, req *http.Request, v any) error {
	const op = "control"
	dec := json.NewDecoder(http.MaxBytesReader(w, req.Body, maxBody))
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil && dec.More() {
		return engine.Errorf(engine.CodeInvalid, op, "Unexpected data after the JSON object.")
	}
	var wrong *json.UnmarshalTypeError
	var large *http.MaxBytesError
	var own *engine.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own): // from a type with its own UnmarshalJSON
		return own
	case errors.As(err, &large):
		return engine.Errorf(engine.CodeTooLarge, op, "The request body is longer than %d bytes.", maxBody)
	case errors.As(err, &wrong):
		return engine.Errorf(engine.CodeInvalid, op, "%s must be %s, not %s.", wrong.Field, wrong.Type, wrong.Value)
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		return engine.Errorf(engine.CodeInvalid, op, "Unknown field %s.", strings.TrimPrefix(err.Error(), "json: unknown field ")).
			WithHint("GET /_soundstage/openapi.yaml describes every field.")
	}
	return engine.Errorf(engine.CodeInvalid, op, "The request body is not a JSON object.").Because(err)
}

func writeError(w http.ResponseWriter, err error) {
	body := struct {
		Error string `json:"error"`
		Hint  string `json:"hint,omitempty"`
	}{Error: engine.Message(err)}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		body.Hint = e.Hint
	}
	writeJSON(w, api.StatusOf(engine.CodeOf(err)), body)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store") // it changes all the time, and may have secrets
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

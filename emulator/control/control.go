// Package control is the sandbox's own API under /_soundstage: what a test or an operator needs beside /v1 and what the hosted
// service doesn't have.
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

// Host is what the control API controls: a server with its worlds.
type Host interface {
	Health(context.Context) (Health, error)
	// World returns a world by name, "" for the default one. CodeNotFound.
	World(name string) (World, error)
	// Reset empties a world, "" for the default one. CodeNotFound, CodeConflict with a data folder.
	Reset(ctx context.Context, world string) error
	WorldHost
	SnapshotHost
	CapsuleHost
	// Ending is closed when the server begins to stop.
	Ending() <-chan struct{}
}

// World is one of a server's worlds: an engine with data of its own. Each part of the control API adds what it needs in its own file.
type World interface {
	Name() string
	Traffic() *traffic.Traffic // its request log and its faults
	ClockWorld
	Webhooks() *outbox.Outbox
	fixtureWorld
}

// DefaultWorld is the name of the world that is always there.
const DefaultWorld = "default"

// Health describes a running server.
type Health struct {
	Status    string         `json:"status"` // "ok"
	Version   string         `json:"version"`
	Clock     string         `json:"clock"`
	Ephemeral bool           `json:"ephemeral"`
	Worlds    int            `json:"worlds"` // how many there are
	Counts    map[string]int `json:"counts"` // rows by noun
	Backends  Backends       `json:"backends"`
}

// routes are the endpoints of the control API; each file has its own list of them.
type routes map[string]func(h Host, w http.ResponseWriter, req *http.Request) error

// endpoints are all of them.
var endpoints = []routes{
	serverRoutes, contractRoutes, worldRoutes, requestRoutes, faultRoutes, clockRoutes, webhookRoutes, fixtureRoutes, snapshotRoutes,
	capsuleRoutes,
}

// Handler answers requests to /_soundstage/ about a server, behind a guard.
func Handler(h Host, g Guard) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sharedMux().ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), serverKey{}, server{h, g})))
	})
}

// server is what a request is about; it is a value of the request's context.
type server struct {
	host  Host
	guard Guard
}

type serverKey struct{}

// sharedMux is the one mux of all servers of the process: making it takes longer than making most of a server.
var sharedMux = sync.OnceValue(func() *http.ServeMux {
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
					fail(w, err)
				}
			})
		}
	}
	mux.HandleFunc("/_soundstage/", func(w http.ResponseWriter, req *http.Request) {
		fail(w, engine.Errorf(engine.CodeNotFound, "control", "The control API has no %s %s.", req.Method, req.URL.Path).
			WithHint("GET /_soundstage/openapi.yaml has all that there is."))
	})
	return mux
})

// serverRoutes are about the server itself.
var serverRoutes = routes{
	"GET /_soundstage/health": func(h Host, w http.ResponseWriter, req *http.Request) error {
		health, err := h.Health(req.Context())
		if err == nil {
			write(w, http.StatusOK, health)
		}
		return err
	},
	"POST /_soundstage/reset": func(h Host, w http.ResponseWriter, req *http.Request) error {
		err := h.Reset(req.Context(), worldName(req))
		if err == nil {
			write(w, http.StatusOK, statusBody{"ok"})
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

// worldName is the world that a request is about: the parameter world, else the header X-Soundstage-World, else the default one.
func worldName(req *http.Request) string {
	return cmp.Or(req.URL.Query().Get("world"), req.Header.Get("X-Soundstage-World"))
}

// maxBody is how long the JSON of a request may be.
const maxBody = 1 << 20

// read decodes the JSON body of a request into v, a pointer to a struct, strictly: an unknown member is CodeInvalid. No body is
// the zero value.
func read(w http.ResponseWriter, req *http.Request, v any) error {
	const op = "control"
	dec := json.NewDecoder(http.MaxBytesReader(w, req.Body, maxBody))
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil && dec.More() {
		return engine.Errorf(engine.CodeInvalid, op, "There is something behind the JSON object.")
	}
	var wrong *json.UnmarshalTypeError
	var large *http.MaxBytesError
	var own *engine.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own): // of a type that decodes itself
		return own
	case errors.As(err, &large):
		return engine.Errorf(engine.CodeTooLarge, op, "The request is longer than %d bytes.", maxBody)
	case errors.As(err, &wrong):
		return engine.Errorf(engine.CodeInvalid, op, "%s must be %s, not %s.", wrong.Field, wrong.Type, wrong.Value)
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		return engine.Errorf(engine.CodeInvalid, op, "There is no member %s here.", strings.TrimPrefix(err.Error(), "json: unknown field ")).
			WithHint("The control API's own contract is at /_soundstage/openapi.yaml.")
	}
	return engine.Errorf(engine.CodeInvalid, op, "The body is not a JSON object.").Because(err)
}

func fail(w http.ResponseWriter, err error) {
	body := struct {
		Error string `json:"error"`
		Hint  string `json:"hint,omitempty"`
	}{Error: engine.Message(err)}
	if e, ok := err.(*engine.Error); ok {
		body.Hint = e.Hint
	}
	write(w, api.StatusOf(engine.CodeOf(err)), body)
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// Package control is the sandbox's own API under /_soundstage: what a test or an operator needs beside /v1 and what the hosted
// service doesn't have.
package control

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
)

// Server is what the control API controls.
type Server interface {
	Health(context.Context) (Health, error)
	Reset(context.Context) error
}

// Health describes a running server.
type Health struct {
	Status    string         `json:"status"` // "ok"
	Version   string         `json:"version"`
	Clock     string         `json:"clock"`
	Ephemeral bool           `json:"ephemeral"`
	Counts    map[string]int `json:"counts"` // rows by noun
}

// Register adds the control API to a mux.
func Register(mux *http.ServeMux, s Server) {
	mux.HandleFunc("GET /_soundstage/health", func(w http.ResponseWriter, req *http.Request) {
		h, err := s.Health(req.Context())
		if err != nil {
			fail(w, err)
			return
		}
		write(w, http.StatusOK, h)
	})
	mux.HandleFunc("POST /_soundstage/reset", func(w http.ResponseWriter, req *http.Request) {
		if err := s.Reset(req.Context()); err != nil {
			fail(w, err)
			return
		}
		write(w, http.StatusOK, struct {
			Status string `json:"status"`
		}{"ok"})
	})
	mux.HandleFunc("GET /_soundstage/fidelity", serveFidelity)
	mux.HandleFunc("/_soundstage/", func(w http.ResponseWriter, req *http.Request) {
		fail(w, engine.Errorf(engine.CodeNotFound, "control", "The control API has no %s %s.", req.Method, req.URL.Path).
			WithHint("It has GET /_soundstage/health, GET /_soundstage/fidelity and POST /_soundstage/reset."))
	})
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

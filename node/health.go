package node

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// readyTimeout limits the checks of /readyz.
const readyTimeout = 3 * time.Second

// health is the JSON of /healthz and /readyz.
type health struct {
	Status   string   `json:"status"` // "ok", "draining", or "unavailable"
	Problems []string `json:"problems,omitempty"`
}

// addProbes adds /healthz, which is 200 while the process runs, and /readyz, which is 200 while the node takes requests: not while it drains,
// and not without the database, with its schema, and the storage.
func (n *Node) addProbes(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { writeHealth(w, health{Status: "ok"}) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, req *http.Request) { writeHealth(w, n.health(req.Context())) })
}

func writeHealth(w http.ResponseWriter, h health) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if h.Status != "ok" {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(h)
}

func (n *Node) health(ctx context.Context) health {
	if n.draining.Load() {
		return health{Status: "draining"}
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	var problems []string
	for _, err := range n.ready(ctx) {
		if err != nil {
			n.c.Log.Warn("not ready", "err", err)
			problems = append(problems, engine.Message(err))
		}
	}
	if len(problems) > 0 {
		return health{Status: "unavailable", Problems: problems}
	}
	return health{Status: "ok"}
}

// ready checks the store and the storage concurrently.
func (n *Node) ready(ctx context.Context) [2]error {
	var errs [2]error
	var checks sync.WaitGroup
	for i, part := range []any{n.c.Store, n.c.Blobs} {
		if r, ok := part.(Readier); ok {
			checks.Go(func() { errs[i] = r.Ready(ctx) })
		}
	}
	checks.Wait()
	return errs
}

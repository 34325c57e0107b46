package control

import (
	"context"
	"net/http"

	"github.com/soundstage-dev/soundstage/emulator/capsule"
)

// CapsuleHost is the part of Host for capsules: recordings of a world's requests.
type CapsuleHost interface {
	// StartCapsule starts to record the requests to a world. CodeNotFound, CodeConflict, CodeTooLarge.
	StartCapsule(ctx context.Context, world string) error
	// Capsule returns the requests recorded so far. CodeNotFound.
	Capsule(world string) (capsule.Capsule, error)
}

// capsuleRoutes are the endpoints for capsules, which `soundstage replay` sends again.
var capsuleRoutes = routes{
	"POST /_soundstage/capsule/start": func(h Host, w http.ResponseWriter, req *http.Request) error {
		return answerOK(w, h.StartCapsule(req.Context(), worldName(req)))
	},
	"GET /_soundstage/capsule": func(h Host, w http.ResponseWriter, req *http.Request) error {
		c, err := h.Capsule(worldName(req))
		if err == nil {
			w.Header().Set("Content-Disposition", `attachment; filename="`+c.World+`.capsule.json"`)
			writeJSON(w, http.StatusOK, c)
		}
		return err
	},
}

package control

import (
	"context"
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
)

// SandboxSecret is a public secret of a world.
type SandboxSecret struct {
	Secret string       `json:"secret"`
	Key    engine.KeyID `json:"key,omitempty"` // ID of its API key; "" if that was deleted
	Tier   engine.Tier  `json:"tier"`
	Other  bool         `json:"other"` // whether it belongs to the second user
}

// Secrets are the public secrets of a world.
type Secrets struct {
	World   string          `json:"world"`
	Secrets []SandboxSecret `json:"secrets"`
	Reason  string          `json:"reason,omitempty"` // why there are none
}

// SecretHost is the part of Host for secrets.
type SecretHost interface {
	// Secrets returns the public sandbox secrets of a world. CodeNotFound.
	Secrets(ctx context.Context, world string) (Secrets, error)
}

// secretRoutes are the endpoints for a world's secrets.
var secretRoutes = routes{
	"GET /_soundstage/secrets": func(h Host, w http.ResponseWriter, req *http.Request) error {
		s, err := h.Secrets(req.Context(), worldName(req))
		if err == nil {
			writeJSON(w, http.StatusOK, s)
		}
		return err
	},
}

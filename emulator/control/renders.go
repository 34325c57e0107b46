package control

import (
	"encoding/json"
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
)

// renderWorld is the part of World for its renders.
type renderWorld interface {
	RenderDefaults() (RenderDefaults, error)
	// SetRenderDefaults changes the settings that are set. CodeInvalid.
	SetRenderDefaults(RenderDefaults) error
}

// RenderDefaults are the style and the target of a world's renders: the body of PUT /_soundstage/renders/defaults, where absent fields stay
// unchanged, and of its response.
type RenderDefaults struct {
	Style  *string         `json:"style"`  // name of a style or a preset; "" for the style of each render
	Look   json.RawMessage `json:"look"`   // a style as data, instead of a name; null for none
	Target *string         `json:"target"` // "" for none
}

// renderRoutes are the endpoints for a world's renders.
var renderRoutes = routes{
	"GET /_soundstage/renders/defaults": func(h Host, w http.ResponseWriter, req *http.Request) error {
		world, err := h.World(worldName(req))
		if err != nil {
			return err
		}
		return answerRenderDefaults(w, world)
	},
	"PUT /_soundstage/renders/defaults": func(h Host, w http.ResponseWriter, req *http.Request) error {
		world, err := h.World(worldName(req))
		if err != nil {
			return err
		}
		var set RenderDefaults
		if err := readBody(w, req, &set); err != nil {
			return err
		}
		if set.Style == nil && set.Look == nil && set.Target == nil {
			return engine.Errorf(engine.CodeInvalid, "control", "Set at least one of style, look, and target.")
		}
		if err := world.SetRenderDefaults(set); err != nil {
			return err
		}
		return answerRenderDefaults(w, world)
	},
}

func answerRenderDefaults(w http.ResponseWriter, world World) error {
	d, err := world.RenderDefaults()
	if err == nil {
		writeJSON(w, http.StatusOK, d)
	}
	return err
}

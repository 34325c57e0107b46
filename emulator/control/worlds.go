package control

import (
	"context"
	"net/http"
)

// WorldHost is the part of Host for worlds.
type WorldHost interface {
	// Worlds returns every world: the default one first, then by name.
	Worlds() []WorldInfo
	// CreateWorld creates a world, empty or as a copy of another. CodeInvalid, CodeNotFound, CodeConflict, CodeNoSpace.
	CreateWorld(ctx context.Context, n NewWorld) (WorldInfo, error)
	// DeleteWorld deletes a world and everything in it. CodeNotFound; CodeConflict for the default world.
	DeleteWorld(ctx context.Context, name string) error
}

// NewWorld is the body of POST /_soundstage/worlds. Every field is optional.
type NewWorld struct {
	Name   string  `json:"name"`    // 1 to 64 characters of a-z, 0-9, and -; default "world-1", "world-2", …
	Seed   *uint64 `json:"seed"`    // default: the copied world's seed, else the server's
	Clock  string  `json:"clock"`   // default: the copied world's mode, else the server's
	ForkOf string  `json:"fork_of"` // name of the world to copy; default none

	FromSnapshot string `json:"from_snapshot"` // name of a stored snapshot to start from; default none
}

// WorldInfo describes a world.
type WorldInfo struct {
	World   string            `json:"world"`
	Seed    uint64            `json:"seed"`
	Clock   string            `json:"clock"` // mode that it began with
	Time    ClockTime         `json:"time"`
	Counts  Totals            `json:"counts"`            // set by the control API
	ForkOf  string            `json:"fork_of,omitempty"` // the world that it was copied from
	Secrets map[string]string `json:"secrets"`           // API secrets by tier: none, core, automation, platform; other belongs to the second user
}

// worldList is the body of GET /_soundstage/worlds.
type worldList struct {
	Worlds []WorldInfo `json:"worlds"`
	Count  int         `json:"count"`
}

// count sets the counts of a world, unless it was deleted in the meantime.
func (info *WorldInfo) count(ctx context.Context, h Host) error {
	world, err := h.World(info.World)
	if err != nil {
		return nil //nolint:nilerr // deleted
	}
	info.Counts, err = world.Totals(ctx)
	return err
}

// worldRoutes are the endpoints for the worlds of a server.
var worldRoutes = routes{
	"POST /_soundstage/worlds": func(h Host, w http.ResponseWriter, req *http.Request) error {
		var n NewWorld
		if err := readBody(w, req, &n); err != nil {
			return err
		}
		info, err := h.CreateWorld(req.Context(), n)
		if err == nil {
			err = info.count(req.Context(), h)
		}
		if err == nil {
			writeJSON(w, http.StatusCreated, info)
		}
		return err
	},
	"GET /_soundstage/worlds": func(h Host, w http.ResponseWriter, req *http.Request) error {
		all := h.Worlds()
		for i := range all {
			if err := all[i].count(req.Context(), h); err != nil {
				return err
			}
		}
		writeJSON(w, http.StatusOK, worldList{all, len(all)})
		return nil
	},
	"DELETE /_soundstage/worlds/{name}": func(h Host, w http.ResponseWriter, req *http.Request) error {
		err := h.DeleteWorld(req.Context(), req.PathValue("name"))
		if err == nil {
			writeJSON(w, http.StatusOK, statusBody{"ok"})
		}
		return err
	},
}

package control

import (
	"context"
	"net/http"
)

// WorldHost is the part of Host that is about having many worlds.
type WorldHost interface {
	// Worlds returns every world, the default one first, then by name.
	Worlds() []WorldInfo
	// CreateWorld makes a world, empty or as a copy of another. CodeInvalid, CodeNotFound, CodeConflict, CodeNoSpace.
	CreateWorld(ctx context.Context, n NewWorld) (WorldInfo, error)
	// DeleteWorld takes a world away with all that is in it. CodeNotFound; CodeConflict for the default one.
	DeleteWorld(ctx context.Context, name string) error
}

// NewWorld is the body of POST /_soundstage/worlds; every member may be left out.
type NewWorld struct {
	Name   string  `json:"name"`    // 1 to 64 of a-z, 0-9 and -; default "world-1" and so on
	Seed   *uint64 `json:"seed"`    // default that of the world that is copied, else the server's
	Clock  string  `json:"clock"`   // default as Seed's
	ForkOf string  `json:"fork_of"` // name of the world to copy; default none

	FromSnapshot string `json:"from_snapshot"` // name of the kept snapshot to begin with; default none
}

// WorldInfo describes a world.
type WorldInfo struct {
	World   string            `json:"world"`
	Seed    uint64            `json:"seed"`
	Clock   string            `json:"clock"`
	ForkOf  string            `json:"fork_of,omitempty"` // the world that it began as a copy of
	Secrets map[string]string `json:"secrets"`           // by tier: none, core, automation, platform; other is the second user's
}

// worldList is the body of GET /_soundstage/worlds.
type worldList struct {
	Worlds []WorldInfo `json:"worlds"`
	Count  int         `json:"count"`
}

// worldRoutes are about the worlds of a server.
var worldRoutes = routes{
	"POST /_soundstage/worlds": func(h Host, w http.ResponseWriter, req *http.Request) error {
		var n NewWorld
		if err := read(w, req, &n); err != nil {
			return err
		}
		info, err := h.CreateWorld(req.Context(), n)
		if err == nil {
			write(w, http.StatusCreated, info)
		}
		return err
	},
	"GET /_soundstage/worlds": func(h Host, w http.ResponseWriter, _ *http.Request) error {
		all := h.Worlds()
		write(w, http.StatusOK, worldList{all, len(all)})
		return nil
	},
	"DELETE /_soundstage/worlds/{name}": func(h Host, w http.ResponseWriter, req *http.Request) error {
		err := h.DeleteWorld(req.Context(), req.PathValue("name"))
		if err == nil {
			write(w, http.StatusOK, statusBody{"ok"})
		}
		return err
	},
}

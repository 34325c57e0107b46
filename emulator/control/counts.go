package control

import (
	"context"
	"net/http"
)

// Count is a number of records, and how many of them have each status.
type Count struct {
	Total    int            `json:"total"`
	Statuses map[string]int `json:"statuses"`
}

// countWorld is the part of World for its counts.
type countWorld interface {
	// Counts returns the number of records by kind.
	Counts(context.Context) (map[string]Count, error)
}

// countRoutes are the endpoints that count records.
var countRoutes = routes{
	"GET /_soundstage/counts": func(h Host, w http.ResponseWriter, req *http.Request) error {
		world, err := h.World(worldName(req))
		if err != nil {
			return err
		}
		counts, err := world.Counts(req.Context())
		if err == nil {
			writeJSON(w, http.StatusOK, struct {
				World  string           `json:"world"`
				Counts map[string]Count `json:"counts"`
			}{world.Name(), counts})
		}
		return err
	},
}

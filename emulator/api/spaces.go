package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
)

// listSpaces handles GET /v1/spaces.
func (a *api) listSpaces(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	spaces, err := a.engine.ListSpaces(req.Context(), c)
	if err != nil {
		return err
	}
	out := struct {
		Spaces []wireSpace `json:"spaces"`
		Count  int         `json:"count"`
	}{Spaces: make([]wireSpace, len(spaces)), Count: len(spaces)}
	for i, s := range spaces {
		out.Spaces[i] = wireSpace{ID: s.ID, Name: s.Name, Language: s.Language}
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

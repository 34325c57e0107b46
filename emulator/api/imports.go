package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
)

type wireImport struct {
	ImportID    engine.ImportID     `json:"import_id"`
	Status      engine.ImportStatus `json:"status"`
	Source      string              `json:"source"`
	URL         string              `json:"url"`
	Title       *string             `json:"title"`
	Progress    float64             `json:"progress"`
	Error       *string             `json:"error"`
	RecordingID *engine.RecordingID `json:"recording_id"`
}

func wireOfImport(i engine.Import) wireImport {
	return wireImport{
		ImportID: i.ID, Status: i.Status, Source: "url", URL: i.URL, Title: orNull(i.Title), Progress: i.Progress, Error: orNull(i.Error),
		RecordingID: orNull(i.RecordingID),
	}
}

// createImport handles POST /v1/imports.
func (a *api) createImport(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	n := engine.NewImport{URL: b.string("url"), SpaceID: engine.SpaceID(b.string("space_id")), Title: b.string("title")}
	if b.first != nil {
		return b.first
	}
	if err := a.refuse("POST /v1/imports", n.URL); err != nil {
		return err
	}
	i, err := a.engine.CreateImport(req.Context(), c, n)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusAccepted, wireOfImport(i))
	return nil
}

// getImport handles GET /v1/imports/:id.
func (a *api) getImport(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	i, err := a.engine.GetImport(req.Context(), c, engine.ImportID(req.PathValue("id")))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wireOfImport(i))
	return nil
}

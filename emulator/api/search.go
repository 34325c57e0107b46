package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
)

type wireResult struct {
	Kind           search.DocumentKind `json:"kind"`
	RecordingID    engine.RecordingID  `json:"recording_id"`
	RecordingTitle string              `json:"recording_title"`
	Snippet        string              `json:"snippet"`
	StartMS        *int64              `json:"start_ms,omitempty"`
	OutputID       engine.OutputID     `json:"output_id,omitempty"`
	OutputType     engine.OutputType   `json:"output_type,omitempty"`
}

// search handles GET /v1/search.
func (a *api) search(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	q, err := parseQuery(req)
	if err != nil {
		return err
	}
	limit, err := limitOf(q, engine.MaxSearchLimit)
	if err != nil {
		return err
	}
	results, err := a.engine.Search(req.Context(), c, engine.SearchRequest{
		Query: q.Get("query"), Category: engine.SearchCategory(q.Get("category")), SpaceID: engine.SpaceID(q.Get("space_id")), Limit: limit,
	})
	if err != nil {
		return err
	}
	out := struct {
		Query   string       `json:"query"`
		Results []wireResult `json:"results"`
		Count   int          `json:"count"`
	}{q.Get("query"), make([]wireResult, len(results)), len(results)}
	for i, r := range results {
		out.Results[i] = wireResult{
			Kind: r.Kind, RecordingID: r.RecordingID, RecordingTitle: r.RecordingTitle, Snippet: r.Snippet, OutputID: r.OutputID, OutputType: r.OutputType,
		}
		if r.Kind == search.DocumentTranscript {
			start := r.Start.Milliseconds()
			out.Results[i].StartMS = &start
		}
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

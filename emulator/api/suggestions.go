package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
)

type wireSuggestion struct {
	ID      engine.SuggestionID `json:"id"`
	Title   string              `json:"title"`
	Excerpt string              `json:"excerpt"`
	Kind    clips.Kind          `json:"kind"`
	Score   int                 `json:"score"`
	StartMS *int64              `json:"start_ms"`
	EndMS   *int64              `json:"end_ms"`
}

func wireOfSuggestion(s engine.Suggestion) wireSuggestion {
	w := wireSuggestion{ID: s.ID, Title: s.Title, Excerpt: s.Excerpt, Kind: s.Kind, Score: s.Score}
	if s.Kind == clips.KindClip {
		start, end := s.Window.Start.Milliseconds(), s.Window.End.Milliseconds()
		w.StartMS, w.EndMS = &start, &end
	}
	return w
}

// listSuggestions handles GET /v1/recordings/:id/clip-suggestions.
func (a *api) listSuggestions(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	q, err := parseQuery(req)
	if err != nil {
		return err
	}
	generate, err := boolOf(q, "generate", false)
	if err != nil {
		return err
	}
	id := engine.RecordingID(req.PathValue("id"))
	suggestions, err := a.engine.ListSuggestions(req.Context(), c, id, generate)
	if err != nil {
		return err
	}
	out := struct {
		RecordingID engine.RecordingID `json:"recording_id"`
		Suggestions []wireSuggestion   `json:"suggestions"`
		Count       int                `json:"count"`
	}{id, make([]wireSuggestion, len(suggestions)), len(suggestions)}
	for i, s := range suggestions {
		out.Suggestions[i] = wireOfSuggestion(s)
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

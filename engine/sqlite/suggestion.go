package sqlite

import "github.com/soundstage-dev/soundstage/engine"

var suggestions = newTable("suggestions", "clip suggestion", func(c *columns, v *engine.Suggestion) {
	key(c, "id", &v.ID)
	text(c, "recording_id", &v.RecordingID)
	text(c, "kind", &v.Kind)
	text(c, "title", &v.Title)
	text(c, "excerpt", &v.Excerpt)
	number(c, "score", &v.Score)
	duration(c, "start", &v.Window.Start)
	duration(c, `"end"`, &v.Window.End)
	timestamp(c, "created_at", &v.CreatedAt)
})

var (
	suggestionsOfRecording = "SELECT " + suggestions.columns + " FROM suggestions WHERE recording_id = ? ORDER BY score DESC, id"
)

func (t *readTx) Suggestion(id engine.SuggestionID) (engine.Suggestion, error) {
	return one(t, suggestions, suggestions.get, string(id))
}

func (t *readTx) Suggestions(id engine.RecordingID) ([]engine.Suggestion, error) {
	return all(t, suggestions, suggestionsOfRecording, string(id))
}

func (t *tx) PutSuggestion(s engine.Suggestion) error {
	return write(t, suggestions, suggestions.put, s)
}

func (t *tx) DeleteSuggestions(id engine.RecordingID) error {
	return t.exec("DELETE FROM suggestions WHERE recording_id = ?", string(id))
}

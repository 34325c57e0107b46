package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var suggestions = newTable(rows.Suggestions)

var (
	suggestionsOfRecording = "SELECT " + suggestions.columns + " FROM suggestions WHERE recording_id = $1 ORDER BY score DESC, id"
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
	return t.exec("DELETE FROM suggestions WHERE recording_id = $1", string(id))
}

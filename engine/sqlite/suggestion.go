package sqlite

import "github.com/soundstage-dev/soundstage/engine"

const (
	suggestionColumns      = `id, recording_id, kind, title, excerpt, score, start, "end", created_at`
	suggestionsOfRecording = "SELECT " + suggestionColumns + " FROM suggestions WHERE recording_id = ? ORDER BY score DESC, id"
)

var putSuggestion = upsert("suggestions", suggestionColumns)

func (t *readTx) Suggestion(id engine.SuggestionID) (engine.Suggestion, error) {
	return one(t, "clip suggestion", scanSuggestion, "SELECT "+suggestionColumns+" FROM suggestions WHERE id = ?", string(id))
}

func (t *readTx) Suggestions(id engine.RecordingID) ([]engine.Suggestion, error) {
	return all(t, scanSuggestion, suggestionsOfRecording, string(id))
}

func (t *tx) PutSuggestion(s engine.Suggestion) error {
	return t.exec(putSuggestion, string(s.ID), string(s.RecordingID), string(s.Kind), s.Title, s.Excerpt, int64(s.Score),
		durationMicros(s.Window.Start), durationMicros(s.Window.End), micros(s.CreatedAt))
}

func scanSuggestion(r *row) engine.Suggestion {
	return engine.Suggestion{
		ID: engine.SuggestionID(r.text()), RecordingID: engine.RecordingID(r.text()), ClipSuggestion: engine.ClipSuggestion{
			Kind: engine.SuggestionKind(r.text()), Title: r.text(), Excerpt: r.text(), Score: r.int(),
			Window: engine.Window{Start: r.duration(), End: r.duration()},
		}, CreatedAt: r.time(),
	}
}

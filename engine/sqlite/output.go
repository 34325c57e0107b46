package sqlite

import "github.com/soundstage-dev/soundstage/engine"

const (
	outputColumns      = "id, recording_id, space_id, user_id, prompt_id, type, name, prompt, status, text, error, error_hint, error_rule, created_at, updated_at"
	outputsOfRecording = "SELECT " + outputColumns + " FROM outputs WHERE recording_id = ? ORDER BY created_at, id"
)

var putOutput = upsert("outputs", outputColumns)

func (t *readTx) Output(id engine.OutputID) (engine.Output, error) {
	return one(t, "output", scanOutput, "SELECT "+outputColumns+" FROM outputs WHERE id = ?", string(id))
}

func (t *readTx) Outputs(id engine.RecordingID) ([]engine.Output, error) {
	return all(t, scanOutput, outputsOfRecording, string(id))
}

func (t *tx) PutOutput(o engine.Output) error {
	return t.exec(putOutput, string(o.ID), string(o.RecordingID), string(o.SpaceID), string(o.UserID), string(o.PromptID), string(o.Type),
		o.Name, o.Prompt, string(o.Status), o.Text, o.Error, o.ErrorHint, string(o.ErrorRule), micros(o.CreatedAt), micros(o.UpdatedAt))
}

func scanOutput(r *row) engine.Output {
	return engine.Output{
		ID: engine.OutputID(r.text()), RecordingID: engine.RecordingID(r.text()), SpaceID: engine.SpaceID(r.text()),
		UserID: engine.UserID(r.text()), PromptID: engine.PromptID(r.text()), Type: engine.OutputType(r.text()), Name: r.text(),
		Prompt: r.text(), Status: engine.OutputStatus(r.text()), Text: r.text(), Error: r.text(),
		ErrorHint: r.text(), ErrorRule: engine.Rule(r.text()), CreatedAt: r.time(), UpdatedAt: r.time(),
	}
}

package sqlite

import "github.com/soundstage-dev/soundstage/engine"

var outputs = newTable("outputs", "output", func(c *columns, v *engine.Output) {
	key(c, "id", &v.ID)
	text(c, "recording_id", &v.RecordingID)
	text(c, "space_id", &v.SpaceID)
	text(c, "user_id", &v.UserID)
	text(c, "prompt_id", &v.PromptID)
	text(c, "type", &v.Type)
	text(c, "name", &v.Name)
	text(c, "prompt", &v.Prompt)
	text(c, "status", &v.Status)
	text(c, "text", &v.Text)
	text(c, "error", &v.Error)
	text(c, "error_code", &v.ErrorCode)
	text(c, "error_hint", &v.ErrorHint)
	text(c, "error_rule", &v.ErrorRule)
	timestamp(c, "created_at", &v.CreatedAt)
	timestamp(c, "updated_at", &v.UpdatedAt)
})

var (
	outputsOfRecording = "SELECT " + outputs.columns + " FROM outputs WHERE recording_id = ? ORDER BY created_at, id"
)

func (t *readTx) Output(id engine.OutputID) (engine.Output, error) {
	return one(t, outputs, outputs.get, string(id))
}

func (t *readTx) Outputs(id engine.RecordingID) ([]engine.Output, error) {
	return all(t, outputs, outputsOfRecording, string(id))
}

func (t *tx) PutOutput(o engine.Output) error { return write(t, outputs, outputs.put, o) }

package rows

import "github.com/soundstage-dev/soundstage/engine"

// Outputs is the table of outputs.
var Outputs = New("outputs", "output", func(c *Columns, v *engine.Output) {
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

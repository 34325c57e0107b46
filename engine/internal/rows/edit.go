package rows

import "github.com/soundstage-dev/soundstage/engine"

// Edits is the table of edits.
var Edits = New("edits", "edit", func(c *Columns, v *engine.Edit) {
	key(c, "id", &v.ID)
	text(c, "recording_id", &v.RecordingID)
	text(c, "user_id", &v.UserID)
	number(c, "revision", &v.Revision)
	timestamp(c, "created_at", &v.CreatedAt)
	list(c, "operations", &v.Operations)
})

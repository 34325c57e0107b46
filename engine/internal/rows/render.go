package rows

import "github.com/soundstage-dev/soundstage/engine"

// Renders is the table of renders.
var Renders = New("renders", "render", func(c *Columns, v *engine.Render) {
	key(c, "id", &v.ID)
	text(c, "user_id", &v.UserID)
	text(c, "recording_id", &v.RecordingID)
	text(c, "status", &v.Status)
	text(c, "style", &v.Style)
	text(c, "aspect_ratio", &v.AspectRatio)
	text(c, "target", &v.Target)
	text(c, "focus", &v.Focus)
	text(c, "title", &v.Title)
	duration(c, "start", &v.Window.Start)
	duration(c, `"end"`, &v.Window.End)
	fraction(c, "progress", &v.Progress)
	text(c, "message", &v.Message)
	text(c, "error_code", &v.ErrorCode)
	text(c, "error_hint", &v.ErrorHint)
	text(c, "error_rule", &v.ErrorRule)
	text(c, "blob_key", &v.BlobKey)
	number(c, "size", &v.Size)
	timestamp(c, "created_at", &v.CreatedAt)
	timestamp(c, "updated_at", &v.UpdatedAt)
	text(c, "look", &v.Look)
})

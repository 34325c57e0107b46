package rows

import "github.com/soundstage-dev/soundstage/engine"

// Events is the table of events.
var Events = New("events", "event", func(c *Columns, v *engine.Event) {
	keyNumber(c, "number", &v.Number)
	text(c, "kind", &v.Kind)
	timestamp(c, "at", &v.At)
	text(c, "user_id", &v.UserID)
	text(c, "space_id", &v.SpaceID)
	text(c, "recording_id", &v.RecordingID)
	text(c, "transcript_id", &v.TranscriptID)
	text(c, "import_id", &v.ImportID)
	text(c, "render_id", &v.RenderID)
	text(c, "output_id", &v.OutputID)
	text(c, "chat_id", &v.ChatID)
	text(c, "language", &v.Language)
	text(c, "state", &v.Status)
	fraction(c, "progress", &v.Progress)
	text(c, "message", &v.Message)
	text(c, "error", &v.Error)
	text(c, "error_code", &v.ErrorCode)
	text(c, "error_hint", &v.ErrorHint)
	text(c, "error_rule", &v.ErrorRule)
})

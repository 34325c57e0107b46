package rows

import "github.com/soundstage-dev/soundstage/engine"

// Suggestions is the table of suggestions.
var Suggestions = New("suggestions", "clip suggestion", func(c *Columns, v *engine.Suggestion) {
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

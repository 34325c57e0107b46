package rows

import "github.com/soundstage-dev/soundstage/engine"

// Prompts is the table of prompts.
var Prompts = New("prompts", "prompt", func(c *Columns, v *engine.Prompt) {
	key(c, "id", &v.ID)
	text(c, "space_id", &v.SpaceID)
	text(c, "name", &v.Name)
	text(c, "type", &v.Type)
	text(c, "description", &v.Description)
	text(c, "text", &v.Text)
	flag(c, "disabled", &v.Disabled)
	timestamp(c, "created_at", &v.CreatedAt)
})

package rows

import "github.com/soundstage-dev/soundstage/engine"

// Assignments is the table of assignments.
var Assignments = New("assignments", "assignment", func(c *Columns, v *engine.Assignment) {
	key(c, "recording_id", &v.RecordingID)
	key(c, "label", &v.Label)
	text(c, "speaker_id", &v.SpeakerID)
})

// Roles is the table of roles.
var Roles = New("roles", "role", func(c *Columns, v *engine.Role) {
	key(c, "id", &v.ID)
	text(c, "space_id", &v.SpaceID)
	text(c, "name", &v.Name)
	timestamp(c, "created_at", &v.CreatedAt)
})

// Speakers is the table of speakers.
var Speakers = New("speakers", "speaker", func(c *Columns, v *engine.Speaker) {
	key(c, "id", &v.ID)
	text(c, "space_id", &v.SpaceID)
	text(c, "name", &v.Name)
	text(c, "email", &v.Email)
	text(c, "bio", &v.Bio)
	text(c, "pronouns", &v.Pronouns)
	text(c, "role_id", &v.RoleID)
	text(c, "ai_summary", &v.AISummary)
	text(c, "emoji", &v.Emoji)
	timestamp(c, "created_at", &v.CreatedAt)
})

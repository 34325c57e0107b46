package rows

import "github.com/soundstage-dev/soundstage/engine"

// Chats is the table of chats.
var Chats = New("chats", "chat", func(c *Columns, v *engine.Chat) {
	key(c, "id", &v.ID)
	text(c, "user_id", &v.UserID)
	text(c, "message", &v.Message)
	list(c, "recording_ids", &v.RecordingIDs)
	text(c, "status", &v.Status)
	text(c, "answer", &v.Answer)
	timestamp(c, "created_at", &v.CreatedAt)
	timestamp(c, "updated_at", &v.UpdatedAt)
})

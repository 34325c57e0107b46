package sqlite

import "github.com/soundstage-dev/soundstage/engine"

var chats = newTable("chats", "chat", func(c *columns, v *engine.Chat) {
	key(c, "id", &v.ID)
	text(c, "user_id", &v.UserID)
	text(c, "message", &v.Message)
	list(c, "recording_ids", &v.RecordingIDs)
	text(c, "status", &v.Status)
	text(c, "answer", &v.Answer)
	timestamp(c, "created_at", &v.CreatedAt)
	timestamp(c, "updated_at", &v.UpdatedAt)
})

func (t *readTx) Chat(id engine.ChatID) (engine.Chat, error) {
	return one(t, chats, chats.get, string(id))
}

func (t *tx) PutChat(c engine.Chat) error { return write(t, chats, chats.put, c) }

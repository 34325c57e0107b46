package sqlite

import "github.com/soundstage-dev/soundstage/engine"

const chatColumns = "id, user_id, message, recording_ids, status, answer, created_at, updated_at"

var putChat = upsert("chats", chatColumns)

func (t *readTx) Chat(id engine.ChatID) (engine.Chat, error) {
	return one(t, "chat", scanChat, "SELECT "+chatColumns+" FROM chats WHERE id = ?", string(id))
}

func (t *tx) PutChat(c engine.Chat) error {
	recordings, err := toJSON(c.RecordingIDs)
	if err != nil {
		return t.fail(err)
	}
	return t.exec(putChat, string(c.ID), string(c.UserID), c.Message, recordings, string(c.Status), c.Answer, micros(c.CreatedAt), micros(c.UpdatedAt))
}

func scanChat(r *row) engine.Chat {
	return engine.Chat{
		ID: engine.ChatID(r.text()), UserID: engine.UserID(r.text()), Message: r.text(),
		RecordingIDs: optional(r, fromJSON[[]engine.RecordingID]), Status: engine.ChatStatus(r.text()), Answer: r.text(),
		CreatedAt: r.time(), UpdatedAt: r.time(),
	}
}

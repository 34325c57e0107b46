package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var chats = newTable(rows.Chats)

func (t *readTx) Chat(id engine.ChatID) (engine.Chat, error) {
	return one(t, chats, chats.get, string(id))
}

// chatsOfRecording reads the links first, because a chat is found by its id.
var chatsOfRecording = "SELECT " + chats.columns + ` FROM chat_recordings JOIN chats ON id = chat_id
	WHERE recording_id = $1 ORDER BY created_at, id`

const (
	linkChat   = "INSERT INTO chat_recordings (recording_id, chat_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
	unlinkChat = "DELETE FROM chat_recordings WHERE chat_id = $1"
	deleteChat = "DELETE FROM chats WHERE id = $1"
)

func (t *readTx) Chats(id engine.RecordingID) ([]engine.Chat, error) {
	return all(t, chats, chatsOfRecording, string(id))
}

func (t *tx) PutChat(c engine.Chat) error {
	if err := t.exec(unlinkChat, string(c.ID)); err != nil {
		return err
	}
	for _, recording := range c.RecordingIDs {
		if err := t.exec(linkChat, string(recording), string(c.ID)); err != nil {
			return err
		}
	}
	return write(t, chats, chats.put, c)
}

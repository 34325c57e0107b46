package memory

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// chatLink says that a chat uses a recording.
type chatLink struct {
	recording engine.RecordingID
	chat      engine.ChatID
}

func (tx *readTx) Chat(id engine.ChatID) (engine.Chat, error) { return get(tx, tx.chats, id) }

func (tx *readTx) Chats(id engine.RecordingID) ([]engine.Chat, error) {
	links, err := list(tx, tx.chatLinks, tx.chatsByRecording, id)
	chats := make([]engine.Chat, 0, len(links))
	for _, l := range links {
		c, err := tx.Chat(l.chat)
		if err != nil {
			return nil, err
		}
		chats = append(chats, c)
	}
	slices.SortFunc(chats, func(a, b engine.Chat) int { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) })
	return chats, err
}

func (tx *writeTx) PutChat(c engine.Chat) error {
	if err := tx.removeChat(c.ID); err != nil {
		return err
	}
	for _, recording := range c.RecordingIDs {
		l := chatLink{recording, c.ID}
		if err := put(tx, tx.chatLinks, l, l); err != nil {
			return err
		}
	}
	return put(tx, tx.chats, c.ID, c)
}

// removeChat removes a chat, if it exists, and its links.
func (tx *writeTx) removeChat(id engine.ChatID) error {
	if err := tx.checkOpen(); err != nil {
		return err
	}
	if old := tx.chats.find(&tx.readTx, id); old != nil {
		for _, recording := range old.RecordingIDs {
			tx.chatLinks.unset(tx, chatLink{recording, id})
		}
	}
	return remove(tx, tx.chats, id)
}

func chatLinkName(l chatLink) string { return pair(l.recording, l.chat) }

func chatLinkRecording(l *chatLink) engine.RecordingID { return l.recording }
func byChat(a, b *chatLink) int                        { return strings.Compare(string(a.chat), string(b.chat)) }

func cloneChat(c engine.Chat) engine.Chat {
	c.RecordingIDs = slices.Clone(c.RecordingIDs)
	c.CreatedAt, c.UpdatedAt = utc(c.CreatedAt), utc(c.UpdatedAt)
	return c
}

package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// ChatStatus is the state of a Chat: stored form and wire form.
type ChatStatus string

const (
	ChatQueued    ChatStatus = "queued"    // being answered, or waiting for it
	ChatCompleted ChatStatus = "completed" // the answer is there, even if it only says that there is none
)

// ChatEvent is what happens to a Chat.
type ChatEvent string

// ChatAnswered says that the answer is written.
const ChatAnswered ChatEvent = "answered"

// chatMachine is every state of a chat and every way out of it (service.md, States and transitions).
var chatMachine = fsm.New("chat", ChatQueued, fsm.Table[ChatStatus, ChatEvent]{
	ChatQueued:    {ChatAnswered: ChatCompleted},
	ChatCompleted: {},
})

// Over reports whether nothing more happens to a chat in this status.
func (s ChatStatus) Over() bool { return chatMachine.Terminal(s) }

// apply moves the chat; it is the only place that assigns its status.
func (c *Chat) apply(event ChatEvent) error {
	next, err := chatMachine.Next(c.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Chat", "The chat is already %s.", c.Status).Because(err)
	}
	c.Status = next
	return nil
}

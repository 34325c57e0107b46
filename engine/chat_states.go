package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// ChatStatus is the state of a Chat: stored form and wire form.
type ChatStatus string

const (
	ChatQueued    ChatStatus = "queued"    // waiting, or being answered
	ChatCompleted ChatStatus = "completed" // the answer is written, even if it only says that there is none
)

// ChatEvent is a transition of a Chat.
type ChatEvent string

// ChatAnswered says that the answer is written.
const ChatAnswered ChatEvent = "answered"

// chatMachine is every state of a chat and every transition (specification, "States and transitions").
var chatMachine = fsm.New("chat", ChatQueued, fsm.Table[ChatStatus, ChatEvent]{
	ChatQueued:    {ChatAnswered: ChatCompleted},
	ChatCompleted: {},
})

// Over reports whether the status is final.
func (s ChatStatus) Over() bool { return chatMachine.Terminal(s) }

// apply changes the chat's status; nothing else assigns it.
func (c *Chat) apply(event ChatEvent) error {
	next, err := chatMachine.Next(c.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Chat", "The chat is already %s.", c.Status).Because(err)
	}
	c.Status = next
	return nil
}

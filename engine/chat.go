package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// ChatID identifies a Chat.
type ChatID string

// MaxChatRecordings is how many recordings one chat may use (specification, "Limits").
const MaxChatRecordings = 10

// Chat is a question about recordings and its answer.
type Chat struct {
	ID           ChatID
	UserID       UserID
	Message      string
	RecordingIDs []RecordingID // 1 to MaxChatRecordings
	Status       ChatStatus
	Answer       string // markdown; "" until completed
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// NewChat is the request for an answer.
type NewChat struct {
	Message      string        // required
	RecordingIDs []RecordingID // required, 1 to MaxChatRecordings; duplicates count once
}

// Validate returns what is wrong with the request, as CodeInvalid.
func (n NewChat) Validate() error {
	const op = "CreateChat"
	switch {
	case strings.TrimSpace(n.Message) == "":
		return Errorf(CodeInvalid, op, "message is required.").WithRule("chat.message-required")
	case len(n.RecordingIDs) == 0:
		return Errorf(CodeInvalid, op, "recording_ids is required.").WithRule("chat.recordings-required")
	case len(n.RecordingIDs) > MaxChatRecordings:
		return Errorf(CodeInvalid, op, "recording_ids is capped at %d recordings", MaxChatRecordings).WithRule("chat.too-many-recordings")
	}
	return input.CheckText(op, "message", n.Message)
}

// CreateChat queues a question about recordings. Errors: CodeInvalid, CodeNotFound (a recording), CodeNotReady (a transcript is not
// completed; the message has its status), CodeUnavailable.
func (e *Engine) CreateChat(ctx context.Context, c Caller, n NewChat) (Chat, error) {
	const op = "CreateChat"
	if err := n.Validate(); err != nil {
		return Chat{}, err
	}
	if e.llm == nil {
		return Chat{}, Errorf(CodeUnavailable, op, "Chat is not configured.").WithHint("Set Config.LLM.")
	}
	now := e.created("chat")
	chat := Chat{
		ID: ChatID(e.ids.NewID("chat")), UserID: c.UserID, Message: n.Message, Status: chatMachine.Initial(), CreatedAt: now, UpdatedAt: now,
	}
	for _, id := range n.RecordingIDs {
		if !slices.Contains(chat.RecordingIDs, id) {
			chat.RecordingIDs = append(chat.RecordingIDs, id)
		}
	}
	err := e.update(ctx, func(tx Tx) error {
		for _, id := range chat.RecordingIDs {
			if _, _, err := visibleRecording(tx, c, id); err != nil {
				return err
			}
		}
		for _, id := range chat.RecordingIDs {
			r, err := tx.Recording(id)
			if err != nil {
				return err
			}
			if !r.HasTranscript() {
				return Errorf(CodeNotReady, op, "The transcript of recording %s is not ready: its status is %s, and chat requires a completed transcript.", id, r.TranscriptStatus)
			}
		}
		if err := tx.PutChat(chat); err != nil {
			return err
		}
		return tx.Enqueue(e.newJob(JobChat, string(chat.ID), string(c.AccountID), e.now()))
	})
	if err != nil {
		return Chat{}, wrap(op, err)
	}
	return chat, nil
}

// GetChat returns a chat of the caller's user, in any status, or CodeNotFound.
func (e *Engine) GetChat(ctx context.Context, c Caller, id ChatID) (chat Chat, err error) {
	const op = "GetChat"
	err = e.store.View(ctx, func(tx ReadTx) error {
		if chat, err = tx.Chat(id); err != nil {
			return err
		}
		for _, r := range chat.RecordingIDs {
			if _, err := tx.Recording(r); err != nil {
				return notFoundAs(op, "chat", err) // it was deleted, and the chat will be
			}
		}
		return nil
	})
	if err == nil && chat.UserID != c.UserID {
		err = NotFound(op, "chat")
	}
	if err != nil {
		return Chat{}, wrap(op, err)
	}
	return chat, nil
}

// WaitChat waits until the chat is completed and returns it, or returns ctx's error.
func (e *Engine) WaitChat(ctx context.Context, c Caller, id ChatID) (Chat, error) {
	return waitFor(ctx, e, func() (Chat, bool, error) {
		chat, err := e.GetChat(ctx, c, id)
		return chat, chatMachine.Terminal(chat.Status), err
	})
}

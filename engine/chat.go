package engine

import "time"

// ChatID identifies a Chat.
type ChatID string

// MaxChatRecordings is how many recordings a chat can be grounded in (service.md, Limits).
const MaxChatRecordings = 10

// Chat is a question about recordings, and its answer.
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

package engine

import "time"

// OutputID identifies an Output.
type OutputID string

// Output is content that was generated of a recording's transcript.
type Output struct {
	ID          OutputID
	RecordingID RecordingID
	SpaceID     SpaceID
	UserID      UserID   // who asked for it; "" when it was made by itself
	PromptID    PromptID // "" for a one-off prompt
	Type        OutputType
	Name        string // of its prompt
	Prompt      string // the instruction, as it was when the output was asked for
	Status      OutputStatus
	Text        string // markdown; "" until completed
	Error       string // one sentence; only when failed or canceled
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

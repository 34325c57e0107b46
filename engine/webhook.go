package engine

import "time"

type (
	// WebhookID identifies a Webhook.
	WebhookID string
	// EventType says what happened.
	EventType string
)

// The events that there are (service.md, Events).
const (
	EventTranscriptCompleted EventType = "transcript.completed" // transcription of a recording finished
	EventOutputCompleted     EventType = "output.completed"     // a generated output finished
)

// EventTypes returns every event that can be subscribed to.
func EventTypes() []EventType { return []EventType{EventTranscriptCompleted, EventOutputCompleted} }

// Webhook is a subscription: events are posted to its URL, signed with its secrets (Standard Webhooks 1.0.0).
type Webhook struct {
	ID          WebhookID
	UserID      UserID
	AccountID   AccountID
	SpaceID     SpaceID // "" for every space of the user
	URL         string
	Events      []EventType
	Description string
	Disabled    bool            // nothing is sent to a disabled one
	Secrets     []WebhookSecret // newest first; the first one is current
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// WebhookSecret signs deliveries. After a rotation the one before signs too, until it expires.
type WebhookSecret struct {
	Value     string     // "whsec_" and base64 of 32 random bytes; shown once
	ExpiresAt *time.Time // nil for the current one
}

package engine

import "time"

// DeliveryID identifies a Delivery.
type DeliveryID string

// Delivery is one event on its way to one webhook, with every try. It is written in the transaction of the change that it
// tells of.
type Delivery struct {
	ID        DeliveryID
	WebhookID WebhookID
	EventID   string // header webhook-id: the same in every try and for every webhook of the event
	Event     EventType
	Body      []byte // the JSON, byte for byte as it is sent and signed
	Status    DeliveryStatus
	Attempts  []Attempt // oldest first
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Attempt is one try of a Delivery.
type Attempt struct {
	At       time.Time
	Duration time.Duration
	Request  map[string]string // headers that were sent
	Status   int               // HTTP status; 0 when no answer came
	Response string            // the answer's body, cut at 2 KiB
	Error    string            // why no answer came; "" when one did
}

// DefaultWebhookRetry is how long to wait before each further try of a delivery (decisions.md, Webhooks).
func DefaultWebhookRetry() []time.Duration {
	return []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}
}

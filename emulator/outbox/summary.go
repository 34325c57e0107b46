package outbox

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Summary is a message without its body and its attempts.
type Summary struct {
	ID             string           `json:"id"`
	Webhook        engine.WebhookID `json:"webhook_id,omitempty"`
	Event          engine.EventType `json:"event"`
	EventID        string           `json:"event_id"`
	Resource       string           `json:"resource"`
	URL            string           `json:"url"`
	Status         Status           `json:"status"`
	Attempts       int              `json:"attempts"`        // finished ones
	ResponseStatus *int             `json:"response_status"` // of the newest attempt; null without a response
	Error          string           `json:"error,omitempty"` // why the newest attempt got no response
	NextAt         *time.Time       `json:"next_at"`         // when the next attempt is due; the Outbox doesn't know it
	CreatedAt      time.Time        `json:"created_at"`
}

// summary returns the message's Summary. The caller holds mu.
func (m *message) summary() Summary {
	s := Summary{
		ID: m.ID, Webhook: m.Webhook, Event: m.Event, EventID: m.EventID, Resource: m.Resource, URL: m.URL, Status: m.status(), Attempts: m.seq,
		CreatedAt: m.CreatedAt,
	}
	if n := len(m.Attempts); n > 0 {
		last := m.Attempts[n-1]
		s.Error = last.Error
		if last.Response != nil {
			status := last.Response.Status
			s.ResponseStatus = &status
		}
	}
	return s
}

// Summary returns a message's Summary. ok is false when it is unknown or no longer kept.
func (o *Outbox) Summary(id string) (s Summary, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m, ok := o.byID[id]
	if ok {
		s = m.summary()
	}
	return s, ok
}

// CountByStatus returns the number of messages by status.
func (o *Outbox) CountByStatus() map[Status]int {
	o.mu.Lock()
	defer o.mu.Unlock()
	counts := map[Status]int{}
	for _, m := range o.messages {
		counts[m.status()]++
	}
	return counts
}

// Len returns the number of messages.
func (o *Outbox) Len() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.messages)
}

// tell calls Config.Changed with a message, if anybody needs it. The caller holds mu.
func (o *Outbox) tell(m *message) {
	if o.cfg.Watching() {
		o.cfg.Changed(m.summary())
	}
}

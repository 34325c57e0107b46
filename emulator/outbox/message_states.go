package outbox

import "slices"

// Status is the state of a message.
type Status string

const (
	StatusWaiting   Status = "waiting"   // no attempt yet
	StatusHeld      Status = "held"      // held, collected, or delayed by the policy
	StatusSending   Status = "sending"   // an attempt is in flight
	StatusDelivered Status = "delivered" // the newest attempt had a 2xx response
	StatusFailed    Status = "failed"    // the newest attempt had another response, or none
)

// status derives the message's status from its attempts.
func (m *message) status() Status {
	switch {
	case m.inFlight > 0:
		return StatusSending
	case m.held > 0:
		return StatusHeld
	case m.seq == 0:
		return StatusWaiting
	case m.ok:
		return StatusDelivered
	}
	return StatusFailed
}

// snapshot returns an independent copy. The caller holds mu.
func (m *message) snapshot() Message {
	c := m.Message
	c.Status = m.status()
	c.Attempts = slices.Clone(m.Attempts)
	if c.Attempts == nil {
		c.Attempts = []Attempt{}
	}
	return c
}

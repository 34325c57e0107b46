package outbox

import "slices"

// Status says where a message is.
type Status string

const (
	StatusWaiting   Status = "waiting"   // it has no try yet
	StatusHeld      Status = "held"      // it waits for Release, Reorder or the policy's delay
	StatusSending   Status = "sending"   // a try is on its way
	StatusDelivered Status = "delivered" // the newest try was answered with 2xx
	StatusFailed    Status = "failed"    // the newest try was not
)

// status is where a message is: it follows from its tries.
func (m *message) status() Status {
	switch {
	case m.flying > 0:
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

// snapshot is a copy that nobody changes; mu is held.
func (m *message) snapshot() Message {
	c := m.Message
	c.Status = m.status()
	c.Attempts = slices.Clone(m.Attempts)
	if c.Attempts == nil {
		c.Attempts = []Attempt{}
	}
	return c
}

package outbox

import "github.com/soundstage-dev/soundstage/engine"

// The clocks that can sign messages.
const (
	TimestampWall    = "wall"    // the wall clock; verifiers allow a difference of five minutes
	TimestampVirtual = "virtual" // the world's clock
)

// Policy changes what happens to the engine's attempts. It doesn't affect copies that Resend, Duplicate, Corrupt, and Trigger send.
type Policy struct {
	Timestamp string `json:"timestamp"`      // TimestampWall, the default, or TimestampVirtual
	Drop      int    `json:"drop"`           // how many of the next attempts get lost: nothing is sent, and no response comes
	DelayMS   int    `json:"delay_ms"`       // real-time delay before each attempt; not part of its 15 s
	Fail      *Fail  `json:"fail,omitempty"` // replaces the receiver's responses, after the dropped attempts
}

// Fail replaces responses of receivers.
type Fail struct {
	Status int `json:"status"` // 100 to 599
	Count  int `json:"count"`  // how many of the next attempts; 0 means 1
}

// The limits of a policy.
const (
	MaxDelayMS = 600_000
	maxCount   = 1_000_000
)

// SetPolicy replaces the policy, including what is left of the previous one. CodeInvalid for an invalid policy; CodeUnsupported
// for TimestampVirtual without a virtual clock.
func (o *Outbox) SetPolicy(p Policy) (Policy, error) {
	const op = "SetPolicy"
	invalid := func(format string, args ...any) (Policy, error) {
		return Policy{}, engine.Errorf(engine.CodeInvalid, op, format, args...)
	}
	if p.Timestamp == "" {
		p.Timestamp = o.cfg.Timestamp
	}
	switch {
	case p.Timestamp != TimestampWall && p.Timestamp != TimestampVirtual:
		return invalid("timestamp must be wall or virtual.")
	case p.Drop < 0 || p.Drop > maxCount:
		return invalid("drop must be a number from 0 to %d.", maxCount)
	case p.DelayMS < 0 || p.DelayMS > MaxDelayMS:
		return invalid("delay_ms must be a number from 0 to %d.", MaxDelayMS)
	}
	if p.Fail != nil {
		f := *p.Fail
		if f.Count == 0 {
			f.Count = 1
		}
		if f.Status < 100 || f.Status > 599 {
			return invalid("fail.status must be a number from 100 to 599.")
		}
		if f.Count < 0 || f.Count > maxCount {
			return invalid("fail.count must be a number from 1 to %d.", maxCount)
		}
		p.Fail = &f
	}
	switch {
	case o.cfg.SigningTime != nil:
		if err := o.cfg.SigningTime(p.Timestamp); err != nil {
			return Policy{}, err
		}
	case p.Timestamp == TimestampVirtual:
		return Policy{}, engine.Errorf(engine.CodeUnsupported, op, "This world has no virtual clock to sign with.")
	}
	o.mu.Lock()
	o.policy = p
	o.mu.Unlock()
	return o.Policy(), nil
}

// Policy returns what is left of the policy.
func (o *Outbox) Policy() Policy {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.policy
	if p.Fail != nil {
		f := *p.Fail
		p.Fail = &f
	}
	return p
}

// intercept responds to an attempt in the receiver's place if the policy requires it.
func (o *Outbox) intercept() (engine.SendResponse, error, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.policy.Drop > 0 {
		o.policy.Drop--
		return engine.SendResponse{}, engine.Errorf(engine.CodeUnavailable, "Send", "No response: the policy dropped the message.").Transient(), true
	}
	if f := o.policy.Fail; f != nil {
		if f.Count--; f.Count == 0 {
			o.policy.Fail = nil
		}
		return engine.SendResponse{Status: f.Status}, nil, true
	}
	return engine.SendResponse{}, nil, false
}

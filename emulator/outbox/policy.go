package outbox

import "github.com/soundstage-dev/soundstage/engine"

// Which clock messages are signed with.
const (
	TimestampWall    = "wall"    // what verifiers, which allow five minutes, need
	TimestampVirtual = "virtual" // the world's
)

// Policy says what becomes of the engine's tries. What is sent deliberately once more is not touched by it.
type Policy struct {
	Timestamp string `json:"timestamp"`      // TimestampWall, the default, or TimestampVirtual
	Drop      int    `json:"drop"`           // how many next tries are lost on the way: nothing is sent, and no answer comes
	DelayMS   int    `json:"delay_ms"`       // how long each try waits before it begins, in real time; not a part of its 15 s
	Fail      *Fail  `json:"fail,omitempty"` // answers instead of the receiver's, after what is dropped
}

// Fail are answers that no receiver gave.
type Fail struct {
	Status int `json:"status"` // 100 to 599
	Count  int `json:"count"`  // how many next tries are answered so; 0 is 1
}

// The bounds of a policy.
const (
	MaxDelayMS = 600_000
	maxCaught  = 1_000_000
)

// SetPolicy replaces the policy; what an earlier one had left is forgotten. CodeInvalid; CodeUnsupported for TimestampVirtual where the
// world has no virtual clock.
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
	case p.Drop < 0 || p.Drop > maxCaught:
		return invalid("drop must be a number from 0 to %d.", maxCaught)
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
		if f.Count < 0 || f.Count > maxCaught {
			return invalid("fail.count must be a number from 1 to %d.", maxCaught)
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

// Policy returns the policy with what is left of it.
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

// intercept answers a try in the receiver's place when the policy says so.
func (o *Outbox) intercept() (engine.SendResponse, error, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.policy.Drop > 0 {
		o.policy.Drop--
		return engine.SendResponse{}, engine.Errorf(engine.CodeUnavailable, "Send", "No answer came: the policy dropped the message.").Transient(), true
	}
	if f := o.policy.Fail; f != nil {
		if f.Count--; f.Count == 0 {
			o.policy.Fail = nil
		}
		return engine.SendResponse{Status: f.Status}, nil, true
	}
	return engine.SendResponse{}, nil, false
}

// Package outbox is the webhook laboratory of a world: it stands between the engine and its Sender, keeps every try byte for byte, and
// lets a test wait for, hold, reorder, repeat, spoil and make messages.
//
// A message is one event on its way to one webhook. Its ID is that of the engine's delivery, so that it is found in
// /v1/webhooks/{id}/deliveries too. What the engine sends is logged by the engine as well; what is sent deliberately once more (Resend,
// Duplicate, Corrupt, and Trigger with a URL) goes around the engine's deliveries and is in the outbox only. To send anew what the
// service's log is to show, there is /v1/webhooks/{id}/deliveries/{id}/replay.
package outbox

import (
	"context"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// DefaultMessages is how many messages an Outbox keeps unless its Config says otherwise.
const DefaultMessages = 1000

// Config is what an Outbox is made of; Sender is required.
type Config struct {
	Sender   engine.Sender // does what goes over the network
	Messages int           // that are kept; default DefaultMessages
	// SigningTime is told whether messages are signed with the time of the wall or the virtual clock when a policy says so. Without it
	// "virtual" is CodeUnsupported.
	SigningTime func(mode string) error
	// Twice is asked at the first try of each delivery whether a copy of it follows, as a fault wants; default never.
	Twice     func(event string) bool
	Timestamp string // of the first policy; default TimestampWall
	// Held is called when the attempt of a delivery is kept back, and again, before the attempt goes on, when it no longer is; default
	// nobody is told.
	Held func(id engine.DeliveryID, held bool)
	Now  func() time.Time // what messages that the engine doesn't make are signed with; default the wall's
}

// Outbox is a world's webhook laboratory. It is the Sender of the world's engine, and safe for concurrent use. Attach connects it with
// the engine.
type Outbox struct {
	cfg Config

	mu       sync.Mutex
	changed  chan struct{} // closed at the next change
	messages []*message    // oldest first, at most cfg.Messages
	byID     map[string]*message
	log      []Event // tries that are over, oldest first, at most cfg.Messages
	logged   int     // tries that were ever over
	direct   int     // messages that were ever made without the engine
	policy   Policy
	gate     gate
	answered map[engine.WebhookID]int // messages that each sink has got
	relays   map[engine.WebhookID]*Listener
	closed   chan struct{}
	ended    bool

	engine *engine.Engine
	store  engine.Store
	owner  engine.Caller
}

var (
	_ engine.Sender       = (*Outbox)(nil)
	_ engine.DeliveryGate = (*Outbox)(nil)
)

// New returns an Outbox without an engine.
func New(c Config) *Outbox {
	if c.Messages <= 0 {
		c.Messages = DefaultMessages
	}
	if c.Timestamp == "" {
		c.Timestamp = TimestampWall
	}
	if c.Twice == nil {
		c.Twice = func(string) bool { return false }
	}
	if c.Held == nil {
		c.Held = func(engine.DeliveryID, bool) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Outbox{
		cfg: c, changed: make(chan struct{}), byID: map[string]*message{}, policy: Policy{Timestamp: c.Timestamp},
		answered: map[engine.WebhookID]int{}, relays: map[engine.WebhookID]*Listener{}, closed: make(chan struct{}),
		gate: gate{waiting: map[*ticket]bool{}, drained: make(chan struct{})},
	}
}

// Attach connects the Outbox with the engine that it is the Sender of, the engine's store, and the user whom sinks and listeners belong
// to. Webhooks of listeners that an earlier process left behind are deleted.
func (o *Outbox) Attach(ctx context.Context, e *engine.Engine, store engine.Store, owner engine.Caller) error {
	o.engine, o.store, o.owner = e, store, owner
	hooks, err := e.ListWebhooks(ctx, owner)
	if err != nil {
		return err
	}
	for _, w := range hooks {
		if isListener(w.URL) {
			if err := e.DeleteWebhook(ctx, owner, w.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// attached is CodeUnavailable as long as there is no engine.
func (o *Outbox) attached(op string) error {
	if o.engine == nil {
		return engine.Errorf(engine.CodeUnavailable, op, "The outbox has no engine.").WithHint("Call Attach first.")
	}
	return nil
}

// Drain sends everything that is held, and holds nothing any more. It returns when the tries of what was held are over, or with ctx.
func (o *Outbox) Drain(ctx context.Context) {
	o.mu.Lock()
	waiting := o.gate.drain()
	o.mu.Unlock()
	for _, t := range waiting {
		select {
		case <-t.left:
		case <-ctx.Done():
			return
		}
	}
}

// Close drains what is held without waiting for it, and ends every wait, stream and listener.
func (o *Outbox) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gate.drain()
	if !o.ended {
		o.ended = true
		close(o.closed)
	}
}

// tell wakes whoever waits for a change; mu is held.
func (o *Outbox) tell() {
	close(o.changed)
	o.changed = make(chan struct{})
}

// Wait returns the messages of a filter of which at least one try is over, oldest first, as soon as there are count of them.
// CodeInvalid: count is not between 1 and what the outbox keeps. CodeCanceled: the time was over before, or ctx, or the outbox was
// closed; it says how many there were.
func (o *Outbox) Wait(ctx context.Context, f Filter, count int, timeout time.Duration) ([]Message, error) {
	const op = "WaitWebhooks"
	if count < 1 || count > o.cfg.Messages {
		return nil, engine.Errorf(engine.CodeInvalid, op, "count must be a number from 1 to %d.", o.cfg.Messages)
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		o.mu.Lock()
		found, changed := o.tried(f), o.changed
		o.mu.Unlock()
		if len(found) >= count {
			return found, nil
		}
		why := ""
		select {
		case <-changed:
			continue
		case <-timer.C:
			why = "within " + timeout.String()
		case <-ctx.Done():
			why = "before the wait was canceled"
		case <-o.closed:
			why = "before the world was closed"
		}
		return nil, engine.Errorf(engine.CodeCanceled, op, "Of %d messages %d came %s.", count, len(found), why).
			WithHint("GET /_soundstage/webhooks/outbox lists what came, GET /_soundstage/webhooks/hold what is held.")
	}
}

// WaitHeld returns as soon as n messages are held or collected at once. CodeCanceled when ctx is done or the outbox closed before.
func (o *Outbox) WaitHeld(ctx context.Context, n int) error {
	return o.until(ctx, func() bool { return len(o.gate.held)+len(o.gate.batch) >= n })
}

// WaitStatus returns as soon as a message has a status. CodeNotFound; CodeCanceled when ctx is done or the outbox closed before.
func (o *Outbox) WaitStatus(ctx context.Context, id string, want Status) error {
	var missing error
	err := o.until(ctx, func() bool {
		m, ok := o.byID[id]
		if !ok {
			_, missing = o.get(id)
			return true
		}
		return m.status() == want
	})
	if missing != nil {
		return missing
	}
	return err
}

// until waits for a condition, which is called with mu held.
func (o *Outbox) until(ctx context.Context, holds func() bool) error {
	for {
		o.mu.Lock()
		ok, changed := holds(), o.changed
		o.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return engine.Errorf(engine.CodeCanceled, "Wait", "The wait was canceled.").Because(ctx.Err())
		case <-o.closed:
			return engine.Errorf(engine.CodeCanceled, "Wait", "The world was closed.")
		}
	}
}

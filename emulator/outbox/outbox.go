// Package outbox records and controls the webhooks of a sandbox's world. An [Outbox] is the engine's Sender: it records every
// attempt byte for byte, and lets a test wait for, hold, reorder, resend, corrupt, and trigger messages. Start with [New] and
// [Outbox.Attach]; see the package example.
//
// A message is one event for one webhook. Its ID is that of the engine's delivery in /v1/webhooks/{id}/deliveries. The engine logs
// its own attempts. Copies from Resend, Duplicate, Corrupt, and Trigger with a URL appear in the outbox only. To send a message
// again and log it, use /v1/webhooks/{id}/deliveries/{id}/replay.
package outbox

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// DefaultMessages is the default of Config.Messages.
const DefaultMessages = 1000

// Config configures an Outbox. Sender is required.
type Config struct {
	Sender   engine.Sender // sends requests over the network
	Messages int           // how many messages are kept; default DefaultMessages
	// SigningTime is called when a policy selects the clock that signs messages, "wall" or "virtual". Without it, "virtual" is
	// CodeUnsupported.
	SigningTime func(mode string) error
	// Duplicate is called at the first attempt of each delivery. If it returns true, as a fault requires, a copy follows. Default:
	// never.
	Duplicate func(event string) bool
	Timestamp string // signing clock of the first policy; default TimestampWall
	// Held is called when a delivery's attempt is held, and again when it is released, before it continues. Default: does nothing.
	Held func(id engine.DeliveryID, held bool)
	Now  func() time.Time // signing time of messages that the engine doesn't send; default the wall clock
	// Changed is called when a message is held or released, and when an attempt begins or ends. It must return at once and not call the
	// Outbox. Default: does nothing.
	Changed func(Summary)
	// Watching reports whether anybody needs Changed, so that nothing is prepared otherwise. Default: always.
	Watching func() bool
}

// Outbox records and controls a world's webhooks. It is the Sender of the world's engine and safe for concurrent use. Attach
// connects it to the engine.
type Outbox struct {
	cfg Config

	mu         sync.Mutex
	changed    chan struct{} // closed at the next change
	messages   []*message    // oldest first, at most cfg.Messages
	byID       map[string]*message
	log        []Event // completed attempts, oldest first, at most cfg.Messages
	logCount   int     // number of completed attempts
	direct     int     // number of messages sent outside the engine
	policy     Policy
	queue      holdQueue
	sinkCounts map[engine.WebhookID]int // number of messages that each sink has received
	listeners  map[engine.WebhookID]*Listener
	closed     chan struct{}
	ended      bool

	engine *engine.Engine
	store  engine.Store
	owner  engine.Caller
}

var (
	_ engine.Sender          = (*Outbox)(nil)
	_ engine.DeliveryLimiter = (*Outbox)(nil)
)

// New returns an Outbox that is not attached to an engine.
func New(c Config) *Outbox {
	if c.Messages <= 0 {
		c.Messages = DefaultMessages
	}
	if c.Timestamp == "" {
		c.Timestamp = TimestampWall
	}
	if c.Duplicate == nil {
		c.Duplicate = func(string) bool { return false }
	}
	if c.Held == nil {
		c.Held = func(engine.DeliveryID, bool) {}
	}
	if c.Changed == nil {
		c.Changed, c.Watching = func(Summary) {}, func() bool { return false }
	}
	if c.Watching == nil {
		c.Watching = func() bool { return true }
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Outbox{
		cfg: c, changed: make(chan struct{}), byID: map[string]*message{}, policy: Policy{Timestamp: c.Timestamp},
		sinkCounts: map[engine.WebhookID]int{}, listeners: map[engine.WebhookID]*Listener{}, closed: make(chan struct{}),
		queue: holdQueue{waiting: map[*heldAttempt]bool{}, drained: make(chan struct{})},
	}
}

// Attach connects the Outbox to the engine that it sends for, the engine's store, and the user who owns sinks and listeners. It
// deletes the webhooks of listeners that an earlier process left behind.
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

// attached returns CodeUnavailable before Attach.
func (o *Outbox) attached(op string) error {
	if o.engine == nil {
		return engine.Errorf(engine.CodeUnavailable, op, "The outbox has no engine.").WithHint("Call Attach first.")
	}
	return nil
}

// Drain sends everything that is held and stops holding. It returns when these attempts have ended or ctx is done.
func (o *Outbox) Drain(ctx context.Context) {
	o.mu.Lock()
	waiting := o.queue.drain()
	o.mu.Unlock()
	for _, t := range waiting {
		select {
		case <-t.done:
		case <-ctx.Done():
			return
		}
	}
}

// Close sends what is held without waiting for it, and ends every wait, stream, and listener.
func (o *Outbox) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queue.drain()
	if !o.ended {
		o.ended = true
		close(o.closed)
	}
}

// notify wakes the goroutines that wait for a change. The caller holds mu.
func (o *Outbox) notify() {
	close(o.changed)
	o.changed = make(chan struct{})
}

// Wait returns the messages that match a filter and have a completed attempt, oldest first, as soon as there are count of them and
// the engine's log has their attempts, too. CodeInvalid when count is not from 1 to Config.Messages. CodeCanceled, with the number
// received, after timeout or when ctx is done or the outbox is closed.
func (o *Outbox) Wait(ctx context.Context, f Filter, count int, timeout time.Duration) ([]Message, error) {
	const op = "WaitWebhooks"
	if count < 1 || count > o.cfg.Messages {
		return nil, engine.Errorf(engine.CodeInvalid, op, "count must be a number from 1 to %d.", o.cfg.Messages)
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		o.mu.Lock()
		found := o.attempted(f)
		var changed <-chan struct{} = o.changed
		o.mu.Unlock()
		enough := len(found) >= count
		if enough {
			if o.engine != nil {
				changed = o.engine.Changes()
			}
			if logged, err := o.logged(ctx, found); err != nil || logged {
				return found, err
			}
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
		if enough {
			return found, nil
		}
		return nil, engine.Errorf(engine.CodeCanceled, op, "Received %d of %d messages %s.", len(found), count, why).
			WithHint("List received messages with GET /_soundstage/webhooks/outbox, and held ones with GET /_soundstage/webhooks/hold.")
	}
}

// logged reports whether the engine has logged its completed attempts of these messages. It does so a moment after the receiver's
// response, in the transaction that ends the job, or never if the attempt's job was taken from it.
func (o *Outbox) logged(ctx context.Context, found []Message) (bool, error) {
	sent := map[engine.DeliveryID]int{}
	o.mu.Lock()
	for _, f := range found {
		if m, ok := o.byID[f.ID]; ok && m.sent > 0 {
			sent[engine.DeliveryID(m.ID)] = m.sent
		}
	}
	o.mu.Unlock()
	if len(sent) == 0 {
		return true, nil
	}
	logged := true
	err := o.store.View(ctx, func(tx engine.ReadTx) error {
		for id, n := range sent {
			d, err := tx.Delivery(id)
			if engine.CodeOf(err) == engine.CodeNotFound || err == nil && len(d.Attempts) >= min(n, engine.MaxAttempts) {
				continue
			}
			if err != nil {
				return err
			}
			jobs, err := tx.JobsOf(string(id))
			if err != nil {
				return err
			}
			if slices.ContainsFunc(jobs, func(j queue.Job) bool { return j.Status == queue.Running }) {
				logged = false
				return nil
			}
		}
		return nil
	})
	return logged, err
}

// WaitHeld returns as soon as n messages are held or collected. CodeCanceled when ctx is done or the outbox is closed first.
func (o *Outbox) WaitHeld(ctx context.Context, n int) error {
	return o.waitUntil(ctx, func() bool { return len(o.queue.held)+len(o.queue.batch) >= n })
}

// WaitStatus returns as soon as a message has a status. CodeNotFound for an unknown message; CodeCanceled when ctx is done or the
// outbox is closed first.
func (o *Outbox) WaitStatus(ctx context.Context, id string, want Status) error {
	var missing error
	err := o.waitUntil(ctx, func() bool {
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

// waitUntil waits until holds returns true. It calls holds with mu held.
func (o *Outbox) waitUntil(ctx context.Context, holds func() bool) error {
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

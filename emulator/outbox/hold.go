package outbox

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Workers is how many deliveries of a world may be in flight or held concurrently. The others wait in the engine's queue.
const Workers = 256

// MaxReorder is the most messages that Reorder collects.
const MaxReorder = 100

// holdQueue holds attempts back. The outbox's mu guards it.
type holdQueue struct {
	hold    *Filter               // which messages are held; nil for none
	held    []*heldAttempt        // in order of arrival
	collect int                   // how many messages Reorder collects; 0 when it is inactive
	batch   []*heldAttempt        // the messages that Reorder has collected, in order of arrival
	waiting map[*heldAttempt]bool // every attempt that has not been released
	drained chan struct{}         // closed when nothing is held any longer
}

// heldAttempt is an attempt that is held or has been released.
type heldAttempt struct {
	m        *message
	open     chan struct{}
	released bool
	done     chan struct{} // closed when the attempt has ended
	sequence *sequence     // its sequence; nil for none
	onHeld   func(bool)    // calls Config.Held; nil when the attempt was never held
}

// sequence is a list of attempts that run one after another.
type sequence struct{ attempts []*heldAttempt }

func (a *heldAttempt) release() {
	if !a.released {
		a.released = true
		if a.onHeld != nil {
			a.onHeld(false)
		}
		close(a.open)
	}
}

// releaseInSequence releases attempts in order, each when the previous one has ended.
func releaseInSequence(attempts []*heldAttempt) {
	if len(attempts) == 0 {
		return
	}
	r := &sequence{attempts: slices.Clone(attempts)}
	for _, a := range r.attempts {
		a.sequence = r
	}
	r.attempts[0].release()
}

// drain releases everything immediately, stops holding, and returns the attempts that were held.
func (q *holdQueue) drain() []*heldAttempt {
	if !q.draining() {
		close(q.drained)
	}
	all := slices.Collect(maps.Keys(q.waiting))
	for _, a := range all {
		a.release()
	}
	q.hold, q.held, q.collect, q.batch = nil, nil, 0, nil
	return all
}

func (q *holdQueue) draining() bool {
	select {
	case <-q.drained:
		return true
	default:
		return false
	}
}

// remove removes an attempt that has ended, and releases the next one of its sequence.
func (q *holdQueue) remove(a *heldAttempt) {
	is := func(other *heldAttempt) bool { return other == a }
	q.held, q.batch = slices.DeleteFunc(q.held, is), slices.DeleteFunc(q.batch, is)
	if a.sequence != nil {
		a.sequence.attempts = slices.DeleteFunc(a.sequence.attempts, is)
		if len(a.sequence.attempts) > 0 {
			a.sequence.attempts[0].release()
		}
	}
	close(a.done)
}

// Acquire implements engine.DeliveryLimiter: it blocks an attempt of the engine while it is held.
func (o *Outbox) Acquire(ctx context.Context, d engine.Delivery) (func(), error) {
	o.mu.Lock()
	m := o.messageOf(d.ID, d.WebhookID, d.Event, d.EventID, d.Body)
	a := &heldAttempt{m: m, open: make(chan struct{}), done: make(chan struct{})}
	delay := time.Duration(o.policy.DelayMS) * time.Millisecond
	q := &o.queue
	switch {
	case q.draining():
		a.release()
	case q.hold != nil && q.hold.matches(m):
		q.held = append(q.held, a)
	case q.collect > 0 && m.last == nil: // retries of earlier messages are not collected
		q.batch = append(q.batch, a)
		if len(q.batch) == q.collect {
			o.flushBatch()
		}
	default:
		a.release()
	}
	if !a.released {
		a.onHeld = func(held bool) { o.cfg.Held(d.ID, held) }
		a.onHeld(true)
	}
	m.held++
	q.waiting[a] = true
	waits := !a.released || delay > 0
	if waits {
		o.tell(m)
	}
	o.notify()
	o.mu.Unlock()
	err := o.await(ctx, a, delay)
	o.mu.Lock()
	m.held--
	delete(q.waiting, a)
	if err != nil {
		q.remove(a)
	}
	if waits {
		o.tell(m)
	}
	o.notify()
	o.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		q.remove(a)
		o.notify()
	}, nil
}

// await returns when an attempt is released and the delay is over.
func (o *Outbox) await(ctx context.Context, a *heldAttempt, delay time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-a.open:
	}
	if delay <= 0 {
		return nil
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
	case <-o.queue.drained: // skip the delay: the world is closing
	}
	return nil
}

// flushBatch sends the messages that Reorder has collected, newest first. The caller holds mu.
func (o *Outbox) flushBatch() {
	batch := slices.Clone(o.queue.batch)
	slices.Reverse(batch)
	o.queue.batch, o.queue.collect = nil, 0
	releaseInSequence(batch)
}

// HoldState describes the held messages.
type HoldState struct {
	Holding   bool      `json:"holding"`
	Filter    *Filter   `json:"filter,omitempty"` // which messages are held
	Held      []Message `json:"held"`             // in order of arrival
	Reorder   int       `json:"reorder"`          // how many messages Reorder collects; 0 when it is inactive
	Collected []Message `json:"collected"`        // by Reorder, in order of arrival
}

// Hold holds the messages that match the filter until Release. Attempts that have begun are not held. In the engine's log, a held
// message is pending, without an attempt, and its job keeps its lease. A second Hold replaces the filter. CodeInvalid for an
// invalid filter; CodeConflict when the world is closing.
func (o *Outbox) Hold(f Filter) (HoldState, error) {
	if err := f.Validate(); err != nil {
		return HoldState{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.queue.draining() {
		return HoldState{}, engine.Errorf(engine.CodeConflict, "Hold", "The world is closing.")
	}
	o.queue.hold = &f
	return o.holding(), nil
}

// Holding returns the held messages.
func (o *Outbox) Holding() HoldState {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.holding()
}

// Waiting returns how many attempts are held, collected, delayed, or waiting in a sequence.
func (o *Outbox) Waiting() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue.waiting)
}

func (o *Outbox) holding() HoldState {
	q := &o.queue
	s := HoldState{Holding: q.hold != nil, Reorder: q.collect, Held: []Message{}, Collected: []Message{}}
	if q.hold != nil {
		f := *q.hold
		s.Filter = &f
	}
	for _, a := range q.held {
		s.Held = append(s.Held, a.m.snapshot())
	}
	for _, a := range q.batch {
		s.Collected = append(s.Collected, a.m.snapshot())
	}
	return s
}

// Release ends Hold and Reorder and sends the held messages one after another: held ones in order of arrival, collected ones
// newest first. It returns their number without waiting for them.
func (o *Outbox) Release() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(o.queue.held) + len(o.queue.batch)
	o.flushBatch()
	held := o.queue.held
	o.queue.hold, o.queue.held = nil, nil
	releaseInSequence(held)
	o.notify()
	return n
}

// ReleaseInOrder sends the held messages with these ids one after another in this order. Others stay held. CodeInvalid for no ids
// or a duplicate, CodeNotFound for a message that isn't held; then nothing is sent.
func (o *Outbox) ReleaseInOrder(ids []string) error {
	const op = "Reorder"
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(ids) == 0 {
		return engine.Errorf(engine.CodeInvalid, op, "ids must name at least one held message.")
	}
	var attempts []*heldAttempt
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return engine.Errorf(engine.CodeInvalid, op, "ids contains %s twice.", id)
		}
		at := slices.IndexFunc(o.queue.held, func(a *heldAttempt) bool { return a.m.ID == id })
		if at < 0 {
			return engine.Errorf(engine.CodeNotFound, op, "The message %s is not held.", id).WithHint("List held messages with GET /_soundstage/webhooks/hold.")
		}
		attempts = append(attempts, o.queue.held[at])
	}
	o.queue.held = slices.DeleteFunc(o.queue.held, func(a *heldAttempt) bool { return slices.Contains(attempts, a) })
	releaseInSequence(attempts)
	o.notify()
	return nil
}

// Reorder holds the first attempts of the next count messages. When it has collected them all, it sends them one after another,
// newest first. Release sends what was collected so far. CodeInvalid when count is not from 2 to MaxReorder; CodeConflict when a
// Reorder is in progress or the world is closing.
func (o *Outbox) Reorder(count int) error {
	const op = "Reorder"
	if count < 2 || count > MaxReorder {
		return engine.Errorf(engine.CodeInvalid, op, "count must be a number from 2 to %d.", MaxReorder)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.queue.draining():
		return engine.Errorf(engine.CodeConflict, op, "The world is closing.")
	case o.queue.collect > 0:
		return engine.Errorf(engine.CodeConflict, op, "A reorder is already in progress: it has %d of %d messages.", len(o.queue.batch), o.queue.collect).
			WithHint("Send them with DELETE /_soundstage/webhooks/hold.")
	}
	o.queue.collect = count
	return nil
}

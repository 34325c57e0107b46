package outbox

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Workers is how many deliveries of a world may be on their way or held at once; more wait in the engine's queue.
const Workers = 256

// MaxReorder is the most messages that Reorder collects.
const MaxReorder = 100

// gate keeps tries back. All of it is guarded by the outbox's mu.
type gate struct {
	hold    *Filter          // what is held; nil holds nothing
	held    []*ticket        // in order of arrival
	collect int              // how many messages Reorder collects; 0 when it doesn't
	batch   []*ticket        // that it has collected, in order of arrival
	waiting map[*ticket]bool // every try that has not passed yet
	drained chan struct{}    // closed when nothing is kept back any more
}

// ticket is a try that waits at the gate, or has passed it.
type ticket struct {
	m      *message
	open   chan struct{}
	opened bool
	left   chan struct{} // closed when the try is over
	row    *row          // that it goes in; nil when it goes alone
	held   func(bool)    // tells Config.Held whether it is kept back; nil when that was never told
}

// row are tries that are made one after the other.
type row struct{ tickets []*ticket }

func (t *ticket) let() {
	if !t.opened {
		t.opened = true
		if t.held != nil {
			t.held(false)
		}
		close(t.open)
	}
}

// inRow lets tickets pass in this order, each when the one before is over.
func inRow(tickets []*ticket) {
	if len(tickets) == 0 {
		return
	}
	r := &row{tickets: slices.Clone(tickets)}
	for _, t := range r.tickets {
		t.row = r
	}
	r.tickets[0].let()
}

// drain lets everything pass at once, now and from now on, and returns what was kept back.
func (g *gate) drain() []*ticket {
	if !g.draining() {
		close(g.drained)
	}
	all := slices.Collect(maps.Keys(g.waiting))
	for _, t := range all {
		t.let()
	}
	g.hold, g.held, g.collect, g.batch = nil, nil, 0, nil
	return all
}

func (g *gate) draining() bool {
	select {
	case <-g.drained:
		return true
	default:
		return false
	}
}

// leave takes a ticket out, wherever it is; the next one of its row may pass.
func (g *gate) leave(t *ticket) {
	is := func(other *ticket) bool { return other == t }
	g.held, g.batch = slices.DeleteFunc(g.held, is), slices.DeleteFunc(g.batch, is)
	if t.row != nil {
		t.row.tickets = slices.DeleteFunc(t.row.tickets, is)
		if len(t.row.tickets) > 0 {
			t.row.tickets[0].let()
		}
	}
	close(t.left)
}

// Pass keeps a try of the engine back for as long as it is held; see engine.DeliveryGate.
func (o *Outbox) Pass(ctx context.Context, d engine.Delivery) (func(), error) {
	o.mu.Lock()
	m := o.of(d.ID, d.WebhookID, d.Event, d.EventID, d.Body)
	t := &ticket{m: m, open: make(chan struct{}), left: make(chan struct{})}
	delay := time.Duration(o.policy.DelayMS) * time.Millisecond
	g := &o.gate
	switch {
	case g.draining():
		t.let()
	case g.hold != nil && g.hold.matches(m):
		g.held = append(g.held, t)
	case g.collect > 0 && m.last == nil: // a further try is not the next message
		g.batch = append(g.batch, t)
		if len(g.batch) == g.collect {
			o.flushBatch()
		}
	default:
		t.let()
	}
	if !t.opened {
		t.held = func(held bool) { o.cfg.Held(d.ID, held) }
		t.held(true)
	}
	m.held++
	g.waiting[t] = true
	o.tell()
	o.mu.Unlock()
	err := o.await(ctx, t, delay)
	o.mu.Lock()
	m.held--
	delete(g.waiting, t)
	if err != nil {
		g.leave(t)
	}
	o.tell()
	o.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		g.leave(t)
		o.tell()
	}, nil
}

// await returns when a ticket may pass and the delay is over.
func (o *Outbox) await(ctx context.Context, t *ticket, delay time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.open:
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
	case <-o.gate.drained: // what is delayed is sent while there is time
	}
	return nil
}

// flushBatch sends what Reorder has collected, the newest first; mu is held.
func (o *Outbox) flushBatch() {
	batch := slices.Clone(o.gate.batch)
	slices.Reverse(batch)
	o.gate.batch, o.gate.collect = nil, 0
	inRow(batch)
}

// HoldState says what is kept back.
type HoldState struct {
	Holding   bool      `json:"holding"`
	Filter    *Filter   `json:"filter,omitempty"` // of what is held
	Held      []Message `json:"held"`             // in order of arrival
	Reorder   int       `json:"reorder"`          // how many messages are being collected to be reversed, 0 for none
	Collected []Message `json:"collected"`        // of them, in order of arrival
}

// Hold keeps back every try of a message of the filter that hasn't begun, until Release. A held message is pending in the engine's log,
// without a try; its job keeps its lease. Another Hold replaces the filter. CodeInvalid.
func (o *Outbox) Hold(f Filter) (HoldState, error) {
	if err := f.Validate(); err != nil {
		return HoldState{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.gate.draining() {
		return HoldState{}, engine.Errorf(engine.CodeConflict, "Hold", "The world is being closed.")
	}
	o.gate.hold = &f
	return o.holding(), nil
}

// Holding says what is kept back.
func (o *Outbox) Holding() HoldState {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.holding()
}

// Waiting is how many tries are kept back at this moment: held, collected, in a row behind others or delayed. To a clock that waits
// until everything is done they are not work that goes on.
func (o *Outbox) Waiting() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.gate.waiting)
}

func (o *Outbox) holding() HoldState {
	g := &o.gate
	s := HoldState{Holding: g.hold != nil, Reorder: g.collect, Held: []Message{}, Collected: []Message{}}
	if g.hold != nil {
		f := *g.hold
		s.Filter = &f
	}
	for _, t := range g.held {
		s.Held = append(s.Held, t.m.snapshot())
	}
	for _, t := range g.batch {
		s.Collected = append(s.Collected, t.m.snapshot())
	}
	return s
}

// Release ends Hold and Reorder and sends everything that is kept back, one after the other: what was held in order of arrival, what
// was collected the newest first. It returns how many messages that are, without waiting for them.
func (o *Outbox) Release() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(o.gate.held) + len(o.gate.batch)
	o.flushBatch()
	held := o.gate.held
	o.gate.hold, o.gate.held = nil, nil
	inRow(held)
	o.tell()
	return n
}

// ReleaseInOrder sends held messages, by id, one after the other in exactly this order; the others stay held. CodeInvalid for an id
// twice or none at all, CodeNotFound for one that isn't held; then nothing is sent.
func (o *Outbox) ReleaseInOrder(ids []string) error {
	const op = "Reorder"
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(ids) == 0 {
		return engine.Errorf(engine.CodeInvalid, op, "ids must name at least one held message.")
	}
	var tickets []*ticket
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return engine.Errorf(engine.CodeInvalid, op, "ids names %s twice.", id)
		}
		at := slices.IndexFunc(o.gate.held, func(t *ticket) bool { return t.m.ID == id })
		if at < 0 {
			return engine.Errorf(engine.CodeNotFound, op, "The message %s is not held.", id).WithHint("GET /_soundstage/webhooks/hold lists what is.")
		}
		tickets = append(tickets, o.gate.held[at])
	}
	o.gate.held = slices.DeleteFunc(o.gate.held, func(t *ticket) bool { return slices.Contains(tickets, t) })
	inRow(tickets)
	o.tell()
	return nil
}

// Reorder keeps back the first tries of the next count messages and, when it has them, sends them one after the other, the newest first. Release sends
// what there is until then. CodeInvalid, CodeConflict when an earlier Reorder is not over yet.
func (o *Outbox) Reorder(count int) error {
	const op = "Reorder"
	if count < 2 || count > MaxReorder {
		return engine.Errorf(engine.CodeInvalid, op, "count must be a number from 2 to %d.", MaxReorder)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.gate.draining():
		return engine.Errorf(engine.CodeConflict, op, "The world is being closed.")
	case o.gate.collect > 0:
		return engine.Errorf(engine.CodeConflict, op, "Messages are being collected already: %d of %d.", len(o.gate.batch), o.gate.collect).
			WithHint("DELETE /_soundstage/webhooks/hold sends them.")
	}
	o.gate.collect = count
	return nil
}

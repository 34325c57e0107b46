package outbox

import (
	"context"
	"fmt"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// listenHost is the host of webhooks whose receiver is a Listener.
const listenHost = "listen.soundstage.invalid"

// Listener is a receiver that takes requests one by one and brings back what somebody else answered to them: the engine sees that
// answer, so that what fails there is tried again.
type Listener struct {
	Subscription

	o       *Outbox
	mu      sync.Mutex
	made    int
	queue   []Relayed
	ready   chan struct{} // has a token when there may be something in the queue
	waiting map[string]chan answer
	closed  chan struct{}
	once    sync.Once
}

// Relayed is a request that waits for its answer.
type Relayed struct {
	ID       string           `json:"id"`
	Message  string           `json:"message_id"`
	Event    engine.EventType `json:"event"`
	EventID  string           `json:"event_id"`
	Resource string           `json:"resource"`
	Request  Request          `json:"request"`
}

type answer struct {
	res engine.SendResponse
	err error
}

// Listen subscribes a Listener to events, all by default, with a secret of the caller's own or a new one. Close ends it and deletes the
// webhook. It has the errors of Subscribe.
func (o *Outbox) Listen(ctx context.Context, events []engine.EventType, secret string) (*Listener, error) {
	sub, err := o.subscribe(ctx, "https://"+listenHost+"/", events, secret)
	if err != nil {
		return nil, err
	}
	l := &Listener{
		Subscription: sub, o: o, ready: make(chan struct{}, 1), waiting: map[string]chan answer{}, closed: make(chan struct{}),
	}
	o.mu.Lock()
	o.relays[sub.Webhook] = l
	o.mu.Unlock()
	return l, nil
}

// Listener returns the listener of a webhook. CodeNotFound.
func (o *Outbox) Listener(id engine.WebhookID) (*Listener, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	l, ok := o.relays[id]
	if !ok {
		return nil, engine.Errorf(engine.CodeNotFound, "Listener", "Nobody listens to the webhook %s.", id)
	}
	return l, nil
}

// Next returns the next request that still waits for its answer, as soon as there is one. CodeCanceled when ctx is done or the listener or the outbox closed.
func (l *Listener) Next(ctx context.Context) (Relayed, error) {
	for {
		if r, ok := l.pop(); ok {
			return r, nil
		}
		select {
		case <-l.ready:
			continue
		case <-ctx.Done():
		case <-l.closed:
		case <-l.o.closed:
		}
		return Relayed{}, engine.Errorf(engine.CodeCanceled, "Listen", "The listener has ended.")
	}
}

// pop takes the first request out of the queue that still waits; those before it have run out of time.
func (l *Listener) pop() (Relayed, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) > 0 {
		r := l.queue[0]
		l.queue = l.queue[1:]
		if _, ok := l.waiting[r.ID]; ok {
			return r, true
		}
	}
	return Relayed{}, false
}

// Answer says what came of a request: an answer with a status from 100 to 599, or, with a sentence in failure, none. CodeInvalid;
// CodeNotFound when the request waits no more.
func (l *Listener) Answer(id string, res engine.SendResponse, failure string) error {
	const op = "Answer"
	a := answer{res: res}
	switch {
	case failure != "":
		a = answer{err: engine.Errorf(engine.CodeUnavailable, "Send", "%s", failure).Transient()}
	case res.Status < 100 || res.Status > 599:
		return engine.Errorf(engine.CodeInvalid, op, "status must be a number from 100 to 599.")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	ch, ok := l.waiting[id]
	if !ok {
		return engine.Errorf(engine.CodeNotFound, op, "The request %s doesn't wait for an answer any more.", id).
			WithHint("An answer has to come within 15 seconds, and once.")
	}
	delete(l.waiting, id)
	ch <- a // it has room for one
	return nil
}

// Close ends the listener: requests that wait for an answer get none, and the webhook is deleted.
func (l *Listener) Close(ctx context.Context) (err error) {
	l.once.Do(func() {
		close(l.closed)
		l.o.mu.Lock()
		delete(l.o.relays, l.Webhook)
		l.o.tell()
		l.o.mu.Unlock()
		err = l.o.engine.DeleteWebhook(context.WithoutCancel(ctx), l.o.owner, l.Webhook)
		if engine.CodeOf(err) == engine.CodeNotFound {
			err = nil // somebody else deleted it
		}
	})
	return err
}

// relay takes a request to its listener and waits for the answer.
func (o *Outbox) relay(ctx context.Context, m *message, req engine.SendRequest) (engine.SendResponse, error) {
	l, err := o.Listener(req.Webhook)
	if err != nil {
		return engine.SendResponse{}, engine.Errorf(engine.CodeUnavailable, "Send", "Nobody listens any more.").Transient()
	}
	ch := make(chan answer, 1)
	l.mu.Lock()
	l.made++
	id := fmt.Sprint(l.made)
	l.waiting[id] = ch
	l.queue = append(l.queue, Relayed{ID: id, Message: m.ID, Event: m.Event, EventID: m.EventID, Resource: m.Resource, Request: requestOf(req)})
	l.mu.Unlock()
	select {
	case l.ready <- struct{}{}:
	default:
	}
	defer func() {
		l.mu.Lock()
		delete(l.waiting, id)
		l.mu.Unlock()
	}()
	gone := engine.Errorf(engine.CodeUnavailable, "Send", "The listener has gone without an answer.").Transient()
	select {
	case a := <-ch:
		return a.res, a.err
	case <-ctx.Done():
		return engine.SendResponse{}, engine.Errorf(engine.CodeUnavailable, "Send", "The listener did not answer in time.").Transient()
	case <-l.closed:
	case <-o.closed:
	}
	return engine.SendResponse{}, gone
}

// WaitSubscriptionEnd returns when nobody listens to a webhook. CodeCanceled when ctx is done or the outbox closed before.
func (o *Outbox) WaitSubscriptionEnd(ctx context.Context, id engine.WebhookID) error {
	return o.until(ctx, func() bool { return o.relays[id] == nil })
}

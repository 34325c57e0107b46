package outbox

import (
	"context"
	"fmt"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// listenHost is the host of webhooks that a Listener receives.
const listenHost = "listen.soundstage.invalid"

// Listener receives a webhook's requests one by one and returns responses from elsewhere. The engine treats them like any
// receiver's responses, so it retries failures.
type Listener struct {
	Subscription

	o            *Outbox
	mu           sync.Mutex
	requestCount int
	queue        []Relayed
	ready        chan struct{} // has a token when the queue may not be empty
	waiting      map[string]chan relayResponse
	closed       chan struct{}
	once         sync.Once
}

// Relayed is a request that waits for its response.
type Relayed struct {
	ID       string           `json:"id"`
	Message  string           `json:"message_id"`
	Event    engine.EventType `json:"event"`
	EventID  string           `json:"event_id"`
	Resource string           `json:"resource"`
	Request  Request          `json:"request"`
}

type relayResponse struct {
	res engine.SendResponse
	err error
}

// Listen creates a webhook for events, all by default, and returns its Listener. secret signs the messages; "" generates one.
// Close ends the Listener and deletes the webhook. Listen returns the errors of Subscribe.
func (o *Outbox) Listen(ctx context.Context, events []engine.EventType, secret string) (*Listener, error) {
	sub, err := o.subscribe(ctx, "https://"+listenHost+"/", events, secret)
	if err != nil {
		return nil, err
	}
	l := &Listener{
		Subscription: sub, o: o, ready: make(chan struct{}, 1), waiting: map[string]chan relayResponse{}, closed: make(chan struct{}),
	}
	o.mu.Lock()
	o.listeners[sub.Webhook] = l
	o.mu.Unlock()
	return l, nil
}

// Listener returns a webhook's listener. CodeNotFound when there is none.
func (o *Outbox) Listener(id engine.WebhookID) (*Listener, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	l, ok := o.listeners[id]
	if !ok {
		return nil, engine.Errorf(engine.CodeNotFound, "Listener", "No listener is connected to the webhook %s.", id)
	}
	return l, nil
}

// Next waits for the next request without a response and returns it. CodeCanceled when ctx is done, or when the listener or the
// outbox is closed.
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
		return Relayed{}, engine.Errorf(engine.CodeCanceled, "Listen", "The listener is closed.")
	}
}

// pop removes the first request that still waits from the queue. It drops requests that have timed out.
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

// Answer responds to a request with a status from 100 to 599. If failure is not "", the request fails with that message instead.
// CodeInvalid for another status; CodeNotFound when the request no longer waits.
func (l *Listener) Answer(id string, res engine.SendResponse, failure string) error {
	const op = "Answer"
	a := relayResponse{res: res}
	switch {
	case failure != "":
		a = relayResponse{err: engine.Errorf(engine.CodeUnavailable, "Send", "%s", failure).Transient()}
	case res.Status < 100 || res.Status > 599:
		return engine.Errorf(engine.CodeInvalid, op, "status must be a number from 100 to 599.")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	ch, ok := l.waiting[id]
	if !ok {
		return engine.Errorf(engine.CodeNotFound, op, "The request %s is not waiting for a response.", id).
			WithHint("Respond to each request once, within 15 seconds.")
	}
	delete(l.waiting, id)
	ch <- a // never blocks: the channel has a buffer of 1
	return nil
}

// Close ends the listener and deletes its webhook. Waiting requests fail.
func (l *Listener) Close(ctx context.Context) (err error) {
	l.once.Do(func() {
		close(l.closed)
		l.o.mu.Lock()
		delete(l.o.listeners, l.Webhook)
		l.o.notify()
		l.o.mu.Unlock()
		err = l.o.engine.DeleteWebhook(context.WithoutCancel(ctx), l.o.owner, l.Webhook)
		if engine.CodeOf(err) == engine.CodeNotFound {
			err = nil // it was already deleted
		}
	})
	return err
}

// relay passes a request to its listener and waits for the response.
func (o *Outbox) relay(ctx context.Context, m *message, req engine.SendRequest) (engine.SendResponse, error) {
	l, err := o.Listener(req.Webhook)
	if err != nil {
		return engine.SendResponse{}, engine.Errorf(engine.CodeUnavailable, "Send", "The listener is gone.").Transient()
	}
	ch := make(chan relayResponse, 1)
	l.mu.Lock()
	l.requestCount++
	id := fmt.Sprint(l.requestCount)
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
	gone := engine.Errorf(engine.CodeUnavailable, "Send", "The listener closed without a response.").Transient()
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

// WaitSubscriptionEnd returns when a webhook has no listener. CodeCanceled when ctx is done or the outbox is closed first.
func (o *Outbox) WaitSubscriptionEnd(ctx context.Context, id engine.WebhookID) error {
	return o.waitUntil(ctx, func() bool { return o.listeners[id] == nil })
}

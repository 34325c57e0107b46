package outbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/soundstage-dev/soundstage/engine"
)

// Trigger describes an event to send although nothing happened.
type Trigger struct {
	Event    engine.EventType // required
	SpaceID  engine.SpaceID   // whose members' webhooks receive it; default: the owner's space
	Resource string           // id of the recording or output; default: the nil UUID
	// Overrides replaces members of the data, or "timestamp", by name. "data.recording_id" is the same as "recording_id".
	Overrides map[string]json.RawMessage

	URL    string // receiver; "" means every subscribed webhook
	Secret string // signs a message to URL; default DirectSecret
}

// DirectSecret signs messages that Trigger sends to a URL. It is the same in every sandbox, so that a receiver is configured once.
const DirectSecret = "whsec_c291bmRzdGFnZS1zYW5kYm94LXdlYmhvb2tzLXNlY3JldA=="

// Triggered is the result of Trigger.
type Triggered struct {
	Event    engine.EventType `json:"event"`
	EventID  string           `json:"event_id"` // the header webhook-id; "" when no webhook is subscribed
	Body     string           `json:"body"`
	Messages []string         `json:"messages"`          // ids in the outbox, one per webhook
	Secret   string           `json:"secret,omitempty"`  // signed the message to a URL
	Attempt  *Attempt         `json:"attempt,omitempty"` // the attempt to send to a URL
}

// Trigger sends an event. Without a URL, the engine queues a delivery for each subscribed webhook of the space, and signs, retries,
// and logs it like any other. With a URL, the event is sent once, immediately, and appears in the outbox only. CodeInvalid for an
// unknown event, a payload that the contract doesn't allow, an invalid URL, or an invalid secret; CodeNotPublic for a private URL;
// CodeNotFound for an unknown space.
func (o *Outbox) Trigger(ctx context.Context, t Trigger) (Triggered, error) {
	if err := o.attached("Trigger"); err != nil {
		return Triggered{}, err
	}
	if !slices.Contains(engine.EventTypes(), t.Event) {
		return Triggered{}, unknownEvent(t.Event)
	}
	t.SpaceID = cmp.Or(t.SpaceID, o.owner.DefaultSpaceID)
	if t.URL != "" {
		return o.triggerAt(ctx, t)
	}
	if t.Secret != "" {
		return Triggered{}, engine.Errorf(engine.CodeInvalid, "Trigger", "secret requires url: webhooks have their own secrets.")
	}
	body, err := t.body(o.engine.Now())
	if err != nil {
		return Triggered{}, err
	}
	deliveries, err := o.engine.SendEvent(ctx, t.SpaceID, t.Event, body)
	if err != nil {
		return Triggered{}, err
	}
	done := Triggered{Event: t.Event, Body: string(body), Messages: []string{}}
	o.mu.Lock()
	for _, d := range deliveries {
		o.messageOf(d.ID, d.WebhookID, d.Event, d.EventID, d.Body)
		done.EventID = d.EventID
		done.Messages = append(done.Messages, string(d.ID))
	}
	o.notify()
	o.mu.Unlock()
	return done, nil
}

// triggerAt sends an event to a URL.
func (o *Outbox) triggerAt(ctx context.Context, t Trigger) (Triggered, error) {
	secret := cmp.Or(t.Secret, DirectSecret)
	if err := checkSecret(secret); err != nil {
		return Triggered{}, err
	}
	body, err := t.body(o.engine.Now())
	if err != nil {
		return Triggered{}, err
	}
	if err := o.Check(ctx, t.URL); err != nil {
		if e := new(engine.Error); errors.As(err, &e) && e.Code == engine.CodeNotPublic {
			err = e.WithHint("Start the sandbox with --allow-private-urls, or forward messages to this machine with `soundstage listen --forward-to URL`.")
		}
		return Triggered{}, err
	}
	o.mu.Lock()
	o.direct++
	m := o.add(&message{secret: secret, Message: Message{
		ID: fmt.Sprintf("direct-%d", o.direct), EventID: fmt.Sprintf("00000000-0000-4000-9000-%012d", o.direct),
		Event: t.Event, Body: string(body),
	}})
	o.mu.Unlock()
	header := map[string]string{"content-type": "application/json", "webhook-id": m.EventID}
	if err := o.sign(ctx, m, header, body, o.cfg.Now()); err != nil {
		return Triggered{}, err
	}
	a := o.sendCopy(ctx, m, KindTrigger, "", engine.SendRequest{URL: t.URL, Header: header, Body: body, Event: t.Event})
	return Triggered{Event: t.Event, EventID: m.EventID, Body: string(body), Messages: []string{m.ID}, Secret: secret, Attempt: &a}, nil
}

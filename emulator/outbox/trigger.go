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

// Trigger asks for an event of something that did not happen.
type Trigger struct {
	Event    engine.EventType // required
	SpaceID  engine.SpaceID   // the webhooks of whose members get it; default the owner's
	Resource string           // id of what the event is about: of the recording or the output; default the nil UUID
	// Overrides replace members of the data, or "timestamp", by name; "data.recording_id" is the same as "recording_id".
	Overrides map[string]json.RawMessage

	URL    string // where to send it; "" is to every webhook that wants it
	Secret string // that signs what goes to URL; default DirectSecret
}

// DirectSecret signs what Trigger sends to a URL. It is the same in every sandbox, so that a receiver can be set up once.
const DirectSecret = "whsec_c291bmRzdGFnZS1zYW5kYm94LXdlYmhvb2tzLXNlY3JldA=="

// Triggered says what Trigger did.
type Triggered struct {
	Event    engine.EventType `json:"event"`
	EventID  string           `json:"event_id"` // the header webhook-id; "" when no webhook wants the event
	Body     string           `json:"body"`
	Messages []string         `json:"messages"`          // ids in the outbox, one for each webhook; empty when none wants the event
	Secret   string           `json:"secret,omitempty"`  // that signed what went to a URL
	Attempt  *Attempt         `json:"attempt,omitempty"` // of what went to a URL, when it is over
}

// Trigger sends an event with the caller's own ids and data. Without a URL the engine queues a delivery for each webhook that wants it,
// which it signs, repeats and logs like any other; the space is the owner's unless it is given. With a URL it is sent once, at once, and
// is in the outbox only. CodeInvalid: there is no such event, or its payload would not be as the contract says; or the URL or secret is
// none. CodeNotPublic: the URL may not be sent to. CodeNotFound: the space.
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
		return Triggered{}, engine.Errorf(engine.CodeInvalid, "Trigger", "secret is for what goes to a url; webhooks have their own.")
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
		o.of(d.ID, d.WebhookID, d.Event, d.EventID, d.Body)
		done.EventID = d.EventID
		done.Messages = append(done.Messages, string(d.ID))
	}
	o.tell()
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
			err = e.WithHint("Start the sandbox with --allow-private-urls, or have messages brought to this machine by `soundstage listen --forward-to URL`.")
		}
		return Triggered{}, err
	}
	o.mu.Lock()
	o.direct++
	m := o.keep(&message{secret: secret, Message: Message{
		ID: fmt.Sprintf("direct-%d", o.direct), EventID: fmt.Sprintf("00000000-0000-4000-9000-%012d", o.direct),
		Event: t.Event, Body: string(body),
	}})
	o.mu.Unlock()
	header := map[string]string{"content-type": "application/json", "webhook-id": m.EventID}
	if err := o.sign(ctx, m, header, body, o.cfg.Now()); err != nil {
		return Triggered{}, err
	}
	a := o.repeat(ctx, m, KindTrigger, "", engine.SendRequest{URL: t.URL, Header: header, Body: body, Event: t.Event})
	return Triggered{Event: t.Event, EventID: m.EventID, Body: string(body), Messages: []string{m.ID}, Secret: secret, Attempt: &a}, nil
}

package engine

import (
	"context"
	"time"
)

// DeliveryID identifies a Delivery.
type DeliveryID string

// MaxAttempts is how many tries of a delivery are kept: more than the schedule has, since a delivery may be replayed at will.
const MaxAttempts = 25

// Delivery is one event on its way to one webhook, with its tries. It is written in the transaction of the change that it
// tells of.
type Delivery struct {
	ID        DeliveryID
	WebhookID WebhookID
	EventID   string // header webhook-id: the same in every try and for every webhook of the event
	Event     EventType
	Body      []byte // the JSON, byte for byte as it is sent and signed
	Status    DeliveryStatus
	Attempts  []Attempt // oldest first; the newest MaxAttempts
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Attempt is one try of a Delivery.
type Attempt struct {
	At       time.Time
	Duration time.Duration
	Request  map[string]string // headers that were sent
	Status   int               // HTTP status; 0 when no answer came
	Response string            // the answer's body, cut at 2 KiB
	Error    string            // why no answer came; "" when one did
}

// DefaultWebhookRetry is how long to wait before each further try of a delivery (decisions.md, Webhooks).
func DefaultWebhookRetry() []time.Duration {
	return []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}
}

// queueDelivery writes a delivery and its job. Webhooks take turns, not accounts: a receiver that hangs holds up its own.
func (e *Engine) queueDelivery(tx Tx, w Webhook, eventID string, event EventType, body []byte) (Delivery, error) {
	now := e.now()
	d := Delivery{
		ID: DeliveryID(e.ids.NewID("delivery")), WebhookID: w.ID, EventID: eventID, Event: event, Body: body,
		Status: deliveryMachine.Initial(), CreatedAt: now, UpdatedAt: now,
	}
	if err := tx.PutDelivery(d); err != nil {
		return Delivery{}, err
	}
	return d, tx.Enqueue(e.newJob(jobDeliver, string(d.ID), string(w.ID), now))
}

// TestWebhook queues a delivery of the first of a webhook's events in which every id is the nil UUID. It is signed, tried again and
// logged like any other. Errors: CodeNotFound, CodeConflict (the webhook is disabled), CodeUnavailable.
func (e *Engine) TestWebhook(ctx context.Context, c Caller, id WebhookID) (d Delivery, err error) {
	const op = "TestWebhook"
	if err := e.canSend(op); err != nil {
		return Delivery{}, err
	}
	err = e.update(ctx, func(tx Tx) error {
		w, err := ownWebhook(tx, c, id)
		if err != nil {
			return err
		}
		if w.Disabled {
			return Errorf(CodeConflict, op, "The webhook is disabled.").WithHint("Enable it first.")
		}
		event, err := eventOf(w.Events[0])
		if err != nil {
			return err
		}
		d, err = e.queueDelivery(tx, w, e.ids.NewID("event"), event.Type, event.encode(e.now(), nil))
		return err
	})
	if err != nil {
		return Delivery{}, wrap(op, err)
	}
	return d, nil
}

// ListDeliveries returns the newest deliveries of a webhook of the caller's user with their tries, newest first: at most limit,
// DefaultPageSize for 0, never more than MaxPageSize. Those that have been over for DeliveryKeep are removed within a day. CodeInvalid
// for a negative limit, CodeNotFound.
func (e *Engine) ListDeliveries(ctx context.Context, c Caller, id WebhookID, limit int) (deliveries []Delivery, err error) {
	const op = "ListDeliveries"
	switch {
	case limit < 0:
		return nil, Errorf(CodeInvalid, op, "limit must be a number from 1 to %d.", MaxPageSize).WithRule("limit.out-of-range")
	case limit == 0:
		limit = DefaultPageSize
	}
	err = e.store.View(ctx, func(tx ReadTx) error {
		if _, err := ownWebhook(tx, c, id); err != nil {
			return err
		}
		deliveries, err = tx.Deliveries(id, min(limit, MaxPageSize))
		return err
	})
	return deliveries, wrap(op, err)
}

// ReplayDelivery sends a delivery of a webhook that is over once more: one try, with the same webhook-id, signed anew with the secrets
// of now, to a disabled webhook too. Errors: CodeNotFound (also for a delivery of another webhook), CodeConflict (it isn't over yet),
// CodeUnavailable.
func (e *Engine) ReplayDelivery(ctx context.Context, c Caller, hook WebhookID, id DeliveryID) (d Delivery, err error) {
	const op = "ReplayDelivery"
	if err := e.canSend(op); err != nil {
		return Delivery{}, err
	}
	err = e.update(ctx, func(tx Tx) error {
		w, err := ownWebhook(tx, c, hook)
		if err != nil {
			return err
		}
		if d, err = tx.Delivery(id); err != nil {
			return err
		}
		if d.WebhookID != w.ID {
			return NotFound(op, "delivery")
		}
		if err := d.apply(DeliveryReplayed); err != nil {
			return err
		}
		d.UpdatedAt = e.now()
		if err := tx.PutDelivery(d); err != nil {
			return err
		}
		return tx.Enqueue(e.newJob(jobReplay, string(d.ID), string(w.ID), d.UpdatedAt))
	})
	if err != nil {
		return Delivery{}, wrap(op, err)
	}
	return d, nil
}

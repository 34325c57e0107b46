package engine

import (
	"context"
	"slices"
	"time"
)

// DeliveryID identifies a Delivery.
type DeliveryID string

// MaxAttempts is how many attempts of a delivery are kept. It exceeds the retry schedule, because a delivery can be replayed any number
// of times.
const MaxAttempts = 25

// Delivery is one event on its way to one webhook, with its attempts. It is written in the transaction of the change that causes the
// event.
type Delivery struct {
	ID        DeliveryID
	WebhookID WebhookID
	EventID   string // header webhook-id: the same in every attempt and for every webhook of the event
	Event     EventType
	Body      []byte // the JSON, byte for byte as sent and signed
	Status    DeliveryStatus
	Attempts  []Attempt // oldest first; only the newest MaxAttempts
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Attempt is one attempt of a Delivery.
type Attempt struct {
	At       time.Time
	Duration time.Duration
	Request  map[string]string // the headers sent
	Status   int               // HTTP status; 0 without a response
	Response string            // the response body, truncated to 2 KiB
	Error    string            // why there is no response; "" with one
	Private  bool              // whether the receiver's address is not public; only TierPlatform sees Response then
}

// DefaultWebhookRetry returns how long to wait before each further attempt of a delivery: ten attempts in about 76 hours.
func DefaultWebhookRetry() []time.Duration {
	return []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}
}

// queueDelivery writes a delivery and its job. Jobs are scheduled fairly by webhook, not by account, so that a slow receiver delays only
// its own deliveries.
func (e *Engine) queueDelivery(tx Tx, w Webhook, eventID string, event EventType, body []byte) (Delivery, error) {
	now := e.created("delivery")
	d := Delivery{
		ID: DeliveryID(e.idOf("delivery", eventID, string(w.ID))), WebhookID: w.ID, EventID: eventID, Event: event, Body: body,
		Status: deliveryMachine.Initial(), CreatedAt: now, UpdatedAt: now,
	}
	if err := tx.PutDelivery(d); err != nil {
		return Delivery{}, err
	}
	return d, tx.Enqueue(e.firstJob(JobDeliver, string(d.ID), string(w.ID), e.now()))
}

// TestWebhook queues a delivery of the webhook's first event, in which every id is the nil UUID. It is signed, retried, and logged like
// any other. Errors: CodeNotFound, CodeConflict (the webhook is disabled), CodeUnavailable.
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
		d, err = e.queueDelivery(tx, w, e.ids.NewID("event"), event.Type, event.Encode(e.now(), nil))
		return err
	})
	if err != nil {
		return Delivery{}, wrap(op, err)
	}
	return d, nil
}

// ListDeliveries returns the newest deliveries of a webhook of the caller's user with their attempts, newest first: at most limit,
// DefaultPageSize for 0, never more than MaxPageSize. A delivery is removed within a day after DeliveryKeep. Errors: CodeInvalid (a
// negative limit), CodeNotFound.
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
	for i := range deliveries {
		deliveries[i] = deliveries[i].visibleTo(c)
	}
	return deliveries, wrap(op, err)
}

// visibleTo returns the delivery without responses of private receivers, unless the caller has TierPlatform. Otherwise anyone who may
// create webhooks could read what servers inside the network say.
func (d Delivery) visibleTo(c Caller) Delivery {
	if c.Tier.Includes(TierPlatform) {
		return d
	}
	d.Attempts = slices.Clone(d.Attempts)
	for i := range d.Attempts {
		if d.Attempts[i].Private {
			d.Attempts[i].Response = ""
		}
	}
	return d
}

// ReplayDelivery sends a finished delivery of a webhook again: one attempt, with the same webhook-id, signed with the current secrets,
// even if the webhook is disabled. Errors: CodeNotFound (also for a delivery of another webhook), CodeConflict (the delivery isn't over),
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
		return tx.Enqueue(e.newJob(JobReplay, string(d.ID), string(w.ID), d.UpdatedAt))
	})
	if err != nil {
		return Delivery{}, wrap(op, err)
	}
	return d.visibleTo(c), nil
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

const (
	deliveryTimeout = 15 * time.Second
	maxRetryAfter   = 24 * time.Hour // the longest wait that a receiver may ask for
)

// failedTry is a try that was no success: the cause of its job's error, which takes it to the transaction that writes the job's end.
type failedTry struct {
	Attempt
	url string
}

func (f *failedTry) Error() string {
	if f.Attempt.Error != "" {
		return f.Attempt.Error
	}
	return fmt.Sprintf("status %d", f.Status)
}

// runDeliver makes one try of a delivery. Between the answer and the write that tells of it, a crash makes it happen again: a
// delivery arrives at least once.
func (e *Engine) runDeliver(ctx context.Context, w *work) (func(Tx) error, error) {
	const op = "Deliver"
	d, hook, done, err := e.admitted(ctx, DeliveryID(w.job.Ref))
	defer done()
	switch {
	case err != nil:
		return e.undeliverable(err)
	case hook.Disabled && w.job.Kind != jobReplay:
		return nil, Errorf(CodeConflict, op, "Not sent: the webhook is disabled.")
	case e.sender == nil:
		return nil, Errorf(CodeUnavailable, op, "Not sent: webhooks are not configured.").Transient()
	}
	try, err := e.send(ctx, hook, d)
	if err != nil {
		return nil, err
	}
	return func(tx Tx) error { return e.logTry(tx, d.ID, DeliverySucceeded, try) }, nil
}

// undeliverable ends the job of a delivery that can't be read.
func (e *Engine) undeliverable(err error) (func(Tx) error, error) {
	if CodeOf(err) == CodeNotFound {
		return nil, nil // the webhook was deleted with its deliveries
	}
	return nil, Errorf(CodeInternal, "Deliver", "").Because(err).Transient() // the store's trouble must not lose an event
}

// admitted returns a delivery and its webhook when a try of it may begin; done is called when the try is over.
func (e *Engine) admitted(ctx context.Context, id DeliveryID) (d Delivery, w Webhook, done func(), err error) {
	done = func() {}
	d, w, err = e.deliverable(ctx, id)
	gate, ok := e.sender.(DeliveryGate)
	if err != nil || !ok {
		return d, w, done, err
	}
	if done, err = gate.Pass(ctx, d); err != nil {
		return d, w, func() {}, err
	}
	d, w, err = e.deliverable(ctx, id) // as they are now, however long that took
	return d, w, done, err
}

func (e *Engine) deliverable(ctx context.Context, id DeliveryID) (d Delivery, w Webhook, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		if d, err = tx.Delivery(id); err != nil {
			return err
		}
		w, err = tx.Webhook(d.WebhookID)
		return err
	})
	return d, w, err
}

// send posts a delivery. Unless the answer is 2xx, it returns an error whose cause is a *failedTry.
func (e *Engine) send(ctx context.Context, w Webhook, d Delivery) (Attempt, error) {
	try := Attempt{At: e.now()}
	signed := e.signTime()
	signature, err := w.signatures(d.EventID, try.At, signed, d.Body)
	if err != nil {
		return Attempt{}, err
	}
	try.Request = map[string]string{
		"content-type": "application/json", "webhook-id": d.EventID,
		"webhook-timestamp": strconv.FormatInt(signed.Unix(), 10), "webhook-signature": signature,
	}
	// The network's time, not the engine's.
	limited, cancel := context.WithTimeout(ctx, deliveryTimeout)
	defer cancel()
	answer, err := e.sender.Send(limited, SendRequest{
		URL: w.URL, Header: maps.Clone(try.Request), Body: d.Body, Timeout: deliveryTimeout, Delivery: d.ID, Webhook: w.ID, Event: d.Event,
	})
	try.Duration = max(0, e.now().Sub(try.At))
	failure := Errorf(CodeUnavailable, "Deliver", "The receiver did not accept the delivery.")
	switch {
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		try.Error = fmt.Sprintf("No answer came within %d seconds.", int(deliveryTimeout.Seconds()))
	case err != nil:
		try.Error = Message(err)
	default:
		try.Status, try.Response = answer.Status, cutBody(answer.Body)
		if answer.Status >= 200 && answer.Status < 300 {
			return try, nil
		}
	}
	failure = failure.Because(&failedTry{try, w.URL})
	if try.Status == statusGone {
		return Attempt{}, failure
	}
	return Attempt{}, failure.After(min(answer.RetryAfter, maxRetryAfter))
}

// statusGone is how a receiver says that it wants nothing more (RFC 9110, section 15.5.11).
const statusGone = 410

// retryDelivery writes a try after which another one follows.
func (e *Engine) retryDelivery(tx Tx, j queue.Job, cause error) error {
	return e.logTry(tx, DeliveryID(j.Ref), DeliveryErrored, e.tried(cause).Attempt)
}

// failDelivery ends a delivery whose last try failed, which was canceled or could not be sent, and disables the webhook of a receiver
// that is gone.
func (e *Engine) failDelivery(tx Tx, j queue.Job, cause error) error {
	try := e.tried(cause)
	if err := e.logTry(tx, DeliveryID(j.Ref), DeliveryExhausted, try.Attempt); err != nil || try.Status != statusGone {
		return err
	}
	d, err := tx.Delivery(DeliveryID(j.Ref))
	if err == nil {
		err = e.disable(tx, d.WebhookID, try.url)
	}
	if CodeOf(err) == CodeNotFound {
		return nil // deleted meanwhile
	}
	return err
}

// tried is the try behind a job's error: one that sent nothing, and says why, when there was none.
func (e *Engine) tried(cause error) *failedTry {
	var try *failedTry
	if errors.As(cause, &try) {
		return try
	}
	return &failedTry{Attempt: Attempt{At: e.now(), Error: Message(cause)}}
}

// disable stops a webhook, unless it has got another URL since.
func (e *Engine) disable(tx Tx, id WebhookID, url string) error {
	w, err := tx.Webhook(id)
	if err != nil || w.URL != url {
		return err
	}
	w.Disabled, w.UpdatedAt = true, e.now()
	return tx.PutWebhook(w)
}

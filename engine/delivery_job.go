package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

const (
	deliveryTimeout = 15 * time.Second
	maxRetryAfter   = 24 * time.Hour // the longest Retry-After that is honoured
	readPause       = time.Second    // between two reads of a delivery while the store is unavailable
	maxReads        = 60             // of a delivery
)

// failedAttempt is an unsuccessful attempt. It is the cause of its job's error, which carries it to the transaction that ends the job.
type failedAttempt struct {
	Attempt
	url string
}

func (f *failedAttempt) Error() string {
	if f.Attempt.Error != "" {
		return f.Attempt.Error
	}
	return fmt.Sprintf("status %d", f.Status)
}

// runDeliver makes one attempt of a delivery. If the process crashes between the response and the write, the attempt is repeated, so a
// delivery arrives at least once.
func (e *Engine) runDeliver(ctx context.Context, w *work) (func(Tx) error, error) {
	const op = "Deliver"
	d, hook, done, err := e.admitted(ctx, DeliveryID(w.job.Ref))
	defer done()
	switch {
	case err != nil:
		return e.undeliverable(err)
	case hook.Disabled && w.job.Kind != JobReplay:
		return nil, Errorf(CodeConflict, op, "Not sent: the webhook is disabled.")
	case e.sender == nil:
		return nil, Errorf(CodeUnavailable, op, "Not sent: webhooks are not configured.").Transient()
	}
	attempt, err := e.send(ctx, hook, d)
	if err != nil {
		return nil, err
	}
	return func(tx Tx) error { return e.logAttempt(tx, d.ID, DeliverySucceeded, attempt) }, nil
}

// undeliverable returns the result of a job whose delivery can't be read.
func (e *Engine) undeliverable(err error) (func(Tx) error, error) {
	if CodeOf(err) == CodeNotFound {
		return nil, nil // the webhook was deleted with its deliveries
	}
	return nil, Errorf(CodeInternal, "Deliver", "").Because(err).Transient() // a failing store must not lose an event
}

// admitted returns a delivery and its webhook when an attempt may begin. The caller calls done when the attempt has ended.
func (e *Engine) admitted(ctx context.Context, id DeliveryID) (d Delivery, w Webhook, done func(), err error) {
	done = func() {}
	d, w, err = e.deliverable(ctx, id)
	limiter, ok := e.sender.(DeliveryLimiter)
	if err != nil || !ok {
		return d, w, done, err
	}
	if done, err = limiter.Acquire(ctx, d); err != nil {
		return d, w, func() {}, err
	}
	d, w, err = e.deliverable(ctx, id) // read again: waiting may have taken long
	return d, w, done, err
}

// deliverable returns a delivery and its webhook. It waits for a store that is unavailable, because an attempt that sends nothing would delay
// the next one by the schedule, which is for receivers. A worker that loses its lease meanwhile gives up, and its attempt doesn't count.
func (e *Engine) deliverable(ctx context.Context, id DeliveryID) (d Delivery, w Webhook, err error) {
	for range maxReads {
		err = e.store.View(ctx, func(tx ReadTx) error {
			if d, err = tx.Delivery(id); err != nil {
				return err
			}
			w, err = tx.Webhook(d.WebhookID)
			return err
		})
		if CodeOf(err) != CodeUnavailable {
			break
		}
		select { // on the wall clock, because it waits for the store
		case <-ctx.Done():
			return d, w, context.Cause(ctx)
		case <-time.After(readPause):
		}
	}
	return d, w, err
}

// send posts a delivery. Unless the response is 2xx, it returns an error whose cause is a *failedAttempt.
func (e *Engine) send(ctx context.Context, w Webhook, d Delivery) (Attempt, error) {
	attempt := Attempt{At: e.now()}
	signed := e.signTime()
	signature, err := w.Secrets.Header(d.EventID, attempt.At, signed, d.Body)
	if err != nil {
		return Attempt{}, err
	}
	attempt.Request = map[string]string{
		"content-type": "application/json", "webhook-id": d.EventID,
		"webhook-timestamp": strconv.FormatInt(signed.Unix(), 10), "webhook-signature": signature,
	}
	// This timeout uses the wall clock, not the engine's clock.
	limited, cancel := context.WithTimeout(ctx, deliveryTimeout)
	defer cancel()
	answer, err := e.sender.Send(limited, SendRequest{
		URL: w.URL, Header: maps.Clone(attempt.Request), Body: d.Body, Timeout: deliveryTimeout, Delivery: d.ID, Webhook: w.ID, Event: d.Event,
	})
	attempt.Duration = max(0, e.now().Sub(attempt.At))
	failure := Errorf(CodeUnavailable, "Deliver", "The receiver did not accept the delivery.")
	switch {
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		attempt.Error = fmt.Sprintf("No response came within %d s.", int(deliveryTimeout.Seconds()))
	case err != nil:
		attempt.Error = Message(err)
	default:
		attempt.Status, attempt.Response, attempt.Private = answer.Status, input.CutText(answer.Body, maxResponse), answer.Private
		if answer.Status >= 200 && answer.Status < 300 {
			return attempt, nil
		}
	}
	failure = failure.Because(&failedAttempt{attempt, w.URL})
	if attempt.Status == statusGone {
		return Attempt{}, failure
	}
	return Attempt{}, failure.After(min(answer.RetryAfter, maxRetryAfter))
}

// statusGone means that a receiver wants no more deliveries (RFC 9110, section 15.5.11).
const statusGone = 410

// retryDelivery records a failed attempt that will be retried.
func (e *Engine) retryDelivery(tx Tx, j queue.Job, cause error) error {
	return e.logAttempt(tx, DeliveryID(j.Ref), DeliveryErrored, e.attemptOf(cause).Attempt)
}

// failDelivery ends a delivery whose last attempt failed, which was canceled, or which could not be sent. If the receiver is gone, it
// also disables the webhook.
func (e *Engine) failDelivery(tx Tx, j queue.Job, cause error) error {
	attempt := e.attemptOf(cause)
	if err := e.logAttempt(tx, DeliveryID(j.Ref), DeliveryExhausted, attempt.Attempt); err != nil || attempt.Status != statusGone {
		return err
	}
	d, err := tx.Delivery(DeliveryID(j.Ref))
	if err == nil {
		err = e.disable(tx, d.WebhookID, attempt.url)
	}
	if CodeOf(err) == CodeNotFound {
		return nil // deleted in the meantime
	}
	return err
}

// attemptOf returns the attempt in a job's error. If nothing was sent, it returns an attempt that says why.
func (e *Engine) attemptOf(cause error) *failedAttempt {
	var attempt *failedAttempt
	if errors.As(cause, &attempt) {
		return attempt
	}
	return &failedAttempt{Attempt: Attempt{At: e.now(), Error: Message(cause)}}
}

// disable disables a webhook, unless its URL has changed since.
func (e *Engine) disable(tx Tx, id WebhookID, url string) error {
	w, err := tx.Webhook(id)
	if err != nil || w.URL != url {
		return err
	}
	w.Disabled, w.UpdatedAt = true, e.now()
	return tx.PutWebhook(w)
}

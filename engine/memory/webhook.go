package memory

import (
	"bytes"
	"maps"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

func (tx *readTx) Webhook(id engine.WebhookID) (engine.Webhook, error) {
	return get(tx, tx.webhooks, id)
}

func (tx *readTx) Webhooks(id engine.UserID) ([]engine.Webhook, error) {
	return list(tx, tx.webhooks, tx.webhooksByAge, id)
}

func (tx *readTx) Delivery(id engine.DeliveryID) (engine.Delivery, error) {
	return get(tx, tx.deliveries, id)
}

func (tx *readTx) Deliveries(id engine.WebhookID, limit int) ([]engine.Delivery, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	found := []engine.Delivery{}
	for row := range tx.deliveriesByAge.descend(tx, id, nil) {
		if len(found) >= limit {
			break
		}
		found = append(found, tx.deliveries.copyOf(row))
	}
	return found, nil
}

func (tx *writeTx) PutWebhook(w engine.Webhook) error { return put(tx, tx.webhooks, w.ID, w) }

func (tx *writeTx) DeleteWebhook(id engine.WebhookID) error {
	if err := tx.checkOpen(); err != nil {
		return err
	}
	for _, d := range tx.deliveriesByAge.rows(&tx.readTx, id) {
		if err := remove(tx, tx.deliveries, d.ID); err != nil {
			return err
		}
	}
	return remove(tx, tx.webhooks, id)
}

func (tx *writeTx) PutDelivery(d engine.Delivery) error { return put(tx, tx.deliveries, d.ID, d) }

func (tx *writeTx) DeleteDeliveries(before time.Time, limit int) (n int, err error) {
	if err := tx.checkOpen(); err != nil {
		return 0, err
	}
	before = utc(before)
	var over []*engine.Delivery
	for d := range tx.deliveriesEnded.ascend(&tx.readTx, struct{}{}) {
		if len(over) >= limit || !d.UpdatedAt.Before(before) {
			break
		}
		over = append(over, d)
	}
	for _, d := range over {
		if err := remove(tx, tx.deliveries, d.ID); err != nil {
			return 0, err
		}
	}
	return len(over), nil
}

func webhookUser(w *engine.Webhook) engine.UserID         { return w.UserID }
func byWebhookAge(a, b *engine.Webhook) int               { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }
func deliveryWebhook(d *engine.Delivery) engine.WebhookID { return d.WebhookID }
func byDeliveryAge(a, b *engine.Delivery) int             { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }

func endedDelivery(d *engine.Delivery) (struct{}, bool) { return struct{}{}, d.Status.Over() }
func byDeliveryEnd(a, b *engine.Delivery) int           { return byAge(a.UpdatedAt, a.ID, b.UpdatedAt, b.ID) }

func cloneWebhook(w engine.Webhook) engine.Webhook {
	w.Events, w.Secrets = slices.Clone(w.Events), slices.Clone(w.Secrets)
	for i := range w.Secrets {
		if w.Secrets[i].ExpiresAt = clonePointer(w.Secrets[i].ExpiresAt); w.Secrets[i].ExpiresAt != nil {
			*w.Secrets[i].ExpiresAt = utc(*w.Secrets[i].ExpiresAt)
		}
	}
	w.CreatedAt, w.UpdatedAt = utc(w.CreatedAt), utc(w.UpdatedAt)
	return w
}

func cloneDelivery(d engine.Delivery) engine.Delivery {
	d.Body, d.Attempts = bytes.Clone(d.Body), slices.Clone(d.Attempts)
	for i := range d.Attempts {
		d.Attempts[i].At, d.Attempts[i].Request = utc(d.Attempts[i].At), maps.Clone(d.Attempts[i].Request)
	}
	d.CreatedAt, d.UpdatedAt = utc(d.CreatedAt), utc(d.UpdatedAt)
	return d
}

package sqlite

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	deliveryColumns = "id, webhook_id, event_id, event, status, created_at, updated_at, body, attempts"
	// deliveriesOfWebhook has an expression for its limit, as pageQuery has and for its reason.
	deliveriesOfWebhook = "SELECT " + deliveryColumns + " FROM deliveries WHERE webhook_id = ?1 ORDER BY created_at DESC, id DESC LIMIT ?2 + 0"
	deleteDeliveries    = "DELETE FROM deliveries WHERE webhook_id = ?"
	// deliveriesOver is the condition of its index. A query must repeat it letter by letter.
	deliveriesOver   = "status IN ('delivered', 'failed')"
	expiredDelivery  = "SELECT id FROM deliveries INDEXED BY deliveries_over WHERE updated_at < ?1 AND " + deliveriesOver + " ORDER BY updated_at, id LIMIT ?2 + 0"
	expireDeliveries = "DELETE FROM deliveries WHERE id IN (" + expiredDelivery + ") RETURNING id"
)

var putDelivery = upsert("deliveries", deliveryColumns)

func (t *readTx) Delivery(id engine.DeliveryID) (engine.Delivery, error) {
	return one(t, "delivery", scanDelivery, "SELECT "+deliveryColumns+" FROM deliveries WHERE id = ?", string(id))
}

func (t *readTx) Deliveries(id engine.WebhookID, limit int) ([]engine.Delivery, error) {
	return all(t, scanDelivery, deliveriesOfWebhook, string(id), int64(max(0, limit)))
}

func (t *tx) PutDelivery(d engine.Delivery) error {
	return t.exec(putDelivery, string(d.ID), string(d.WebhookID), d.EventID, string(d.Event), string(d.Status),
		micros(d.CreatedAt), micros(d.UpdatedAt), d.Body, encodeAttempts(d.Attempts))
}

func (t *tx) DeleteDeliveries(before time.Time, limit int) (int, error) {
	removed, err := all(&t.readTx, (*row).text, expireDeliveries, micros(before), int64(max(0, limit)))
	return len(removed), err
}

func scanDelivery(r *row) engine.Delivery {
	return engine.Delivery{
		ID: engine.DeliveryID(r.text()), WebhookID: engine.WebhookID(r.text()), EventID: r.text(), Event: engine.EventType(r.text()),
		Status: engine.DeliveryStatus(r.text()), CreatedAt: r.time(), UpdatedAt: r.time(), Body: r.blob(), Attempts: optional(r, decodeAttempts),
	}
}

package postgres

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var deliveries = newTable(rows.Deliveries)

const (
	deleteDeliveries = "DELETE FROM deliveries WHERE webhook_id = $1"
	deliveriesOver   = "status IN ('delivered', 'failed')"
	expiredDelivery  = "SELECT id FROM deliveries WHERE updated_at < $1 AND " + deliveriesOver + " ORDER BY updated_at, id LIMIT $2"
	expireDeliveries = "DELETE FROM deliveries WHERE id IN (" + expiredDelivery + ") RETURNING id"
)

var (
	deliveriesOfWebhook = "SELECT " + deliveries.columns + " FROM deliveries WHERE webhook_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2"
)

func (t *readTx) Delivery(id engine.DeliveryID) (engine.Delivery, error) {
	return one(t, deliveries, deliveries.get, string(id))
}

func (t *readTx) Deliveries(id engine.WebhookID, limit int) ([]engine.Delivery, error) {
	return all(t, deliveries, deliveriesOfWebhook, string(id), int64(max(0, limit)))
}

func (t *tx) PutDelivery(d engine.Delivery) error { return write(t, deliveries, deliveries.put, d) }

func (t *tx) DeleteDeliveries(before time.Time, limit int) (int, error) {
	removed, err := each(&t.readTx, (*rows.Row).Text, expireDeliveries, rows.Micros(before), int64(max(0, limit)))
	return len(removed), err
}

package rows

import "github.com/soundstage-dev/soundstage/engine"

// Deliveries is the table of deliveries.
var Deliveries = New("deliveries", "delivery", func(c *Columns, v *engine.Delivery) {
	key(c, "id", &v.ID)
	text(c, "webhook_id", &v.WebhookID)
	text(c, "event_id", &v.EventID)
	text(c, "event", &v.Event)
	text(c, "status", &v.Status)
	timestamp(c, "created_at", &v.CreatedAt)
	timestamp(c, "updated_at", &v.UpdatedAt)
	bytes(c, "body", &v.Body, encodeBlob, decodeBlob)
	bytes(c, "attempts", &v.Attempts, EncodeAttempts, DecodeAttempts)
})

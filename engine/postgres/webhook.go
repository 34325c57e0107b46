package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var webhooks = newTable(rows.Webhooks)

var (
	webhooksOfUser = "SELECT " + webhooks.columns + " FROM webhooks WHERE user_id = $1 ORDER BY created_at, id"
)

func (t *readTx) Webhook(id engine.WebhookID) (engine.Webhook, error) {
	return one(t, webhooks, webhooks.get, string(id))
}

func (t *readTx) Webhooks(id engine.UserID) ([]engine.Webhook, error) {
	return all(t, webhooks, webhooksOfUser, string(id))
}

func (t *tx) PutWebhook(w engine.Webhook) error { return write(t, webhooks, webhooks.put, w) }

func (t *tx) DeleteWebhook(id engine.WebhookID) error {
	if err := t.exec(deleteDeliveries, string(id)); err != nil {
		return err
	}
	return t.exec("DELETE FROM webhooks WHERE id = $1", string(id))
}

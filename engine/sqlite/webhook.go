package sqlite

import (
	"errors"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	webhookColumns = "id, user_id, account_id, space_id, url, events, description, disabled, secrets, created_at, updated_at"
	webhooksOfUser = "SELECT " + webhookColumns + " FROM webhooks WHERE user_id = ? ORDER BY created_at, id"
)

var putWebhook = upsert("webhooks", webhookColumns)

func (t *readTx) Webhook(id engine.WebhookID) (engine.Webhook, error) {
	return one(t, "webhook", scanWebhook, "SELECT "+webhookColumns+" FROM webhooks WHERE id = ?", string(id))
}

func (t *readTx) Webhooks(id engine.UserID) ([]engine.Webhook, error) {
	return all(t, scanWebhook, webhooksOfUser, string(id))
}

func (t *tx) PutWebhook(w engine.Webhook) error {
	events, err := toJSON(w.Events)
	secrets, err2 := toJSON(storedSecrets(w.Secrets))
	if err := errors.Join(err, err2); err != nil {
		return t.fail(err)
	}
	return t.exec(putWebhook, string(w.ID), string(w.UserID), string(w.AccountID), string(w.SpaceID), w.URL, events, w.Description,
		w.Disabled, secrets, micros(w.CreatedAt), micros(w.UpdatedAt))
}

func (t *tx) DeleteWebhook(id engine.WebhookID) error {
	if err := t.exec(deleteDeliveries, string(id)); err != nil {
		return err
	}
	return t.exec("DELETE FROM webhooks WHERE id = ?", string(id))
}

func scanWebhook(r *row) engine.Webhook {
	return engine.Webhook{
		ID: engine.WebhookID(r.text()), UserID: engine.UserID(r.text()), AccountID: engine.AccountID(r.text()), SpaceID: engine.SpaceID(r.text()),
		URL: r.text(), Events: optional(r, fromJSON[[]engine.EventType]), Description: r.text(), Disabled: r.bool(),
		Secrets: optional(r, fromJSON[[]engine.WebhookSecret]), CreatedAt: r.time(), UpdatedAt: r.time(),
	}
}

// storedSecrets returns the secrets with times that a store keeps: UTC, whole microseconds.
func storedSecrets(secrets []engine.WebhookSecret) []engine.WebhookSecret {
	secrets = slices.Clone(secrets)
	for i := range secrets {
		if at := secrets[i].ExpiresAt; at != nil {
			kept := at.UTC().Truncate(time.Microsecond)
			secrets[i].ExpiresAt = &kept
		}
	}
	return secrets
}

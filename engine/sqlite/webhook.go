package sqlite

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/signature"
)

var webhooks = newTable("webhooks", "webhook", func(c *columns, v *engine.Webhook) {
	key(c, "id", &v.ID)
	text(c, "user_id", &v.UserID)
	text(c, "account_id", &v.AccountID)
	text(c, "space_id", &v.SpaceID)
	text(c, "url", &v.URL)
	list(c, "events", &v.Events)
	text(c, "description", &v.Description)
	flag(c, "disabled", &v.Disabled)
	secrets(c, "secrets", (*[]signature.Secret)(&v.Secrets))
	timestamp(c, "created_at", &v.CreatedAt)
	timestamp(c, "updated_at", &v.UpdatedAt)
})

var (
	webhooksOfUser = "SELECT " + webhooks.columns + " FROM webhooks WHERE user_id = ? ORDER BY created_at, id"
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
	return t.exec("DELETE FROM webhooks WHERE id = ?", string(id))
}

func secrets(c *columns, name string, p *[]signature.Secret) {
	if c.writing {
		kept := storedSecrets(*p)
		p = &kept
	}
	list(c, name, p)
}

// storedSecrets returns the secrets with times in UTC and whole microseconds.
func storedSecrets(secrets []signature.Secret) []signature.Secret {
	secrets = slices.Clone(secrets)
	for i := range secrets {
		if at := secrets[i].ExpiresAt; at != nil {
			kept := at.UTC().Truncate(time.Microsecond)
			secrets[i].ExpiresAt = &kept
		}
	}
	return secrets
}

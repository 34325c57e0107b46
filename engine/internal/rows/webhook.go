package rows

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/signature"
)

// Webhooks is the table of webhooks.
var Webhooks = New("webhooks", "webhook", func(c *Columns, v *engine.Webhook) {
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

func secrets(c *Columns, name string, p *[]signature.Secret) {
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

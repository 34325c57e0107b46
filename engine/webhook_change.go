package engine

import (
	"context"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// WebhookChange is the change of UpdateWebhook. nil keeps a field.
type WebhookChange struct {
	URL         *string
	Events      []EventType // an empty list is CodeInvalid
	Disabled    *bool
	Description *string
}

// Validate returns what is wrong with the request, as CodeInvalid.
func (ch WebhookChange) Validate() error {
	const op = "UpdateWebhook"
	if ch.URL != nil {
		if err := input.CheckURL(op, *ch.URL); err != nil {
			return err
		}
	}
	if ch.Events != nil {
		if err := validEvents(op, ch.Events); err != nil {
			return err
		}
	}
	if ch.Description != nil {
		return input.CheckLine(op, "description", *ch.Description)
	}
	return nil
}

// UpdateWebhook changes a webhook of the caller's user. Waiting deliveries go to the new URL. Waiting deliveries of a disabled webhook
// fail without being sent. Errors: CodeInvalid, CodeNotPublic, CodeNotFound, CodeUnavailable.
func (e *Engine) UpdateWebhook(ctx context.Context, c Caller, id WebhookID, ch WebhookChange) (Webhook, error) {
	const op = "UpdateWebhook"
	if err := ch.Validate(); err != nil {
		return Webhook{}, err
	}
	if ch.URL != nil {
		if err := e.canSend(op); err != nil {
			return Webhook{}, err
		}
		if err := e.sender.Check(ctx, *ch.URL); err != nil {
			return Webhook{}, wrap(op, publicOnly(err))
		}
	}
	return e.changeWebhook(ctx, c, id, op, func(w *Webhook) error {
		if ch.URL != nil {
			w.URL = *ch.URL
		}
		if ch.Events != nil {
			w.Events = slices.Clone(ch.Events)
		}
		if ch.Disabled != nil {
			w.Disabled = *ch.Disabled
		}
		if ch.Description != nil {
			w.Description = *ch.Description
		}
		return nil
	})
}

// changeWebhook applies change to a webhook of the caller's user, writes it, and returns it without its secrets.
func (e *Engine) changeWebhook(ctx context.Context, c Caller, id WebhookID, op string, change func(*Webhook) error) (Webhook, error) {
	var w Webhook
	err := e.store.Update(ctx, func(tx Tx) (err error) {
		if w, err = ownWebhook(tx, c, id); err != nil {
			return err
		}
		if err := change(&w); err != nil {
			return err
		}
		w.UpdatedAt = e.now()
		return tx.PutWebhook(w)
	})
	if err != nil {
		return Webhook{}, wrap(op, err)
	}
	return w.withoutSecrets(), nil
}

// DeleteWebhook removes a webhook of the caller's user with its deliveries. A delivery that is being sent is not stopped. Errors:
// CodeNotFound.
func (e *Engine) DeleteWebhook(ctx context.Context, c Caller, id WebhookID) error {
	return wrap("DeleteWebhook", e.store.Update(ctx, func(tx Tx) error {
		if _, err := ownWebhook(tx, c, id); err != nil {
			return err
		}
		return tx.DeleteWebhook(id)
	}))
}

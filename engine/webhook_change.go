package engine

import (
	"context"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// WebhookChange is what UpdateWebhook changes; nil leaves a field as it is.
type WebhookChange struct {
	URL         *string
	Events      []EventType // nil leaves them; an empty list is CodeInvalid
	Disabled    *bool
	Description *string
}

// Validate reports what is wrong with the request, as CodeInvalid.
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

// UpdateWebhook changes a webhook of the caller's user. Deliveries that wait go to the new URL; those of a disabled webhook fail
// without being sent when their turn comes. Errors: CodeInvalid, CodeNotPublic, CodeNotFound, CodeUnavailable.
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

// changeWebhook writes whatever change does to a webhook of the caller's user, and returns it without its secrets.
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

// DeleteWebhook removes a webhook of the caller's user with its deliveries: nothing more is sent, beyond what is on its way.
// CodeNotFound when there is none.
func (e *Engine) DeleteWebhook(ctx context.Context, c Caller, id WebhookID) error {
	return wrap("DeleteWebhook", e.store.Update(ctx, func(tx Tx) error {
		if _, err := ownWebhook(tx, c, id); err != nil {
			return err
		}
		return tx.DeleteWebhook(id)
	}))
}

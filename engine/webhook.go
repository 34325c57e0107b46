package engine

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/signature"
)

// WebhookID identifies a Webhook.
type WebhookID string

// Webhook is a subscription: events are posted to its URL, signed with its secrets (Standard Webhooks 1.0.0).
type Webhook struct {
	ID          WebhookID
	UserID      UserID
	AccountID   AccountID
	SpaceID     SpaceID // "" for all spaces of the user
	URL         string
	Events      []EventType
	Description string
	Disabled    bool // a disabled webhook receives nothing
	Secrets     signature.Secrets
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// MaxWebhooks is how many webhooks a user may have.
const MaxWebhooks = 100

// subscribed reports whether the webhook receives an event of a space.
func (w Webhook) subscribed(event EventType, space SpaceID) bool {
	return !w.Disabled && slices.Contains(w.Events, event) && (w.SpaceID == "" || w.SpaceID == space)
}

// NewWebhook is the request for a webhook.
type NewWebhook struct {
	URL         string      // required; http or https
	Events      []EventType // required, each once
	SpaceID     SpaceID     // default all spaces of the user
	Description string
}

// Validate returns what is wrong with the request, as CodeInvalid.
func (n NewWebhook) Validate() error {
	const op = "CreateWebhook"
	if err := input.CheckURL(op, n.URL); err != nil {
		return err
	}
	if err := validEvents(op, n.Events); err != nil {
		return err
	}
	return input.CheckLine(op, "description", n.Description)
}

func validEvents(op string, events []EventType) error {
	if len(events) == 0 {
		return Errorf(CodeInvalid, op, "events must name at least one event.").WithRule("webhook.events-required")
	}
	for i, event := range events {
		if !slices.Contains(EventTypes(), event) {
			return Errorf(CodeInvalid, op, "events must be among %s.", input.Enumerate(EventTypes())).WithRule("webhook.event-unknown")
		}
		if slices.Contains(events[:i], event) {
			return Errorf(CodeInvalid, op, "events names %s twice.", event)
		}
	}
	return nil
}

// CreateWebhook subscribes the caller's user to events and returns the webhook with its secret, which can't be read again. Errors:
// CodeInvalid, CodeNotPublic, CodeNotFound (the space), CodeConflict (the user has MaxWebhooks), CodeUnavailable.
func (e *Engine) CreateWebhook(ctx context.Context, c Caller, n NewWebhook) (Webhook, string, error) {
	const op = "CreateWebhook"
	if err := n.Validate(); err != nil {
		return Webhook{}, "", err
	}
	if err := e.canSend(op); err != nil {
		return Webhook{}, "", err
	}
	if err := e.sender.Check(ctx, n.URL); err != nil {
		return Webhook{}, "", wrap(op, publicOnly(err))
	}
	secret, err := signature.NewSecret(e.entropy)
	if err != nil {
		return Webhook{}, "", wrap(op, err)
	}
	now := e.created("webhook")
	w := Webhook{
		ID: WebhookID(e.ids.NewID("webhook")), UserID: c.UserID, AccountID: c.AccountID, SpaceID: n.SpaceID, URL: n.URL,
		Events: slices.Clone(n.Events), Description: n.Description, Secrets: signature.Secrets{{Value: secret}}, CreatedAt: now, UpdatedAt: now,
	}
	err = e.store.Update(ctx, func(tx Tx) error {
		if n.SpaceID != "" {
			if _, err := memberSpace(tx, c, n.SpaceID); err != nil {
				return err
			}
		}
		others, err := tx.Webhooks(c.UserID)
		if err != nil {
			return err
		}
		if len(others) >= MaxWebhooks {
			return Errorf(CodeConflict, op, "There are already %d webhooks.", MaxWebhooks).WithHint("Delete one that is not needed.")
		}
		return tx.PutWebhook(w)
	})
	if err != nil {
		return Webhook{}, "", wrap(op, err)
	}
	return w.withoutSecrets(), secret, nil
}

func (e *Engine) canSend(op string) error {
	if e.sender == nil {
		return Errorf(CodeUnavailable, op, "Webhooks are not configured.").WithHint("Set Config.Sender.")
	}
	return nil
}

// withoutSecrets returns the webhook without its secrets.
func (w Webhook) withoutSecrets() Webhook { w.Secrets = nil; return w }

// ListWebhooks returns the webhooks of the caller's user without their secrets, oldest first.
func (e *Engine) ListWebhooks(ctx context.Context, c Caller) (hooks []Webhook, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		hooks, err = tx.Webhooks(c.UserID)
		return err
	})
	for i := range hooks {
		hooks[i] = hooks[i].withoutSecrets()
	}
	return hooks, wrap("ListWebhooks", err)
}

// GetWebhook returns a webhook of the caller's user without its secrets, or CodeNotFound.
func (e *Engine) GetWebhook(ctx context.Context, c Caller, id WebhookID) (w Webhook, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		w, err = ownWebhook(tx, c, id)
		return err
	})
	return w.withoutSecrets(), wrap("GetWebhook", err)
}

func ownWebhook(tx ReadTx, c Caller, id WebhookID) (Webhook, error) {
	w, err := tx.Webhook(id)
	if err == nil && w.UserID != c.UserID {
		err = NotFound("", "webhook")
	}
	if err != nil {
		return Webhook{}, addRule(CodeNotFound, "webhook.unknown", err)
	}
	return w, nil
}

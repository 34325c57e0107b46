package engine

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine/signature"
)

// RotateWebhookSecret gives a webhook of the caller's user a new secret, which can't be read again. The previous secret also signs for
// signature.Overlap, so that receivers can switch. Errors: CodeNotFound, CodeConflict (rotated too often in a day).
func (e *Engine) RotateWebhookSecret(ctx context.Context, c Caller, id WebhookID) (Webhook, string, error) {
	const op = "RotateWebhookSecret"
	secret, err := signature.NewSecret(e.entropy)
	if err != nil {
		return Webhook{}, "", wrap(op, err)
	}
	w, err := e.changeWebhook(ctx, c, id, op, func(w *Webhook) error {
		w.Secrets, err = w.Secrets.Rotate(secret, e.now())
		return err
	})
	if err != nil {
		return Webhook{}, "", err
	}
	return w, secret, nil
}

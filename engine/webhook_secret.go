package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/signature"
)

const (
	// SecretOverlap is how long the secret before signs too after a rotation.
	SecretOverlap = 24 * time.Hour
	// maxSecrets bounds how many secrets of one webhook sign at once, and so how long its signature header gets.
	maxSecrets = 10
)

// RotateWebhookSecret gives a webhook of the caller's user a new secret, which can't be had again. The one before signs too for
// SecretOverlap, so that a receiver may change over in its own time. CodeNotFound, and CodeConflict when it was rotated too often of late.
func (e *Engine) RotateWebhookSecret(ctx context.Context, c Caller, id WebhookID) (Webhook, string, error) {
	const op = "RotateWebhookSecret"
	secret, err := signature.NewSecret(e.entropy)
	if err != nil {
		return Webhook{}, "", wrap(op, err)
	}
	w, err := e.changeWebhook(ctx, c, id, op, func(w *Webhook) error {
		now := e.now()
		w.Secrets = w.liveSecrets(now)
		if len(w.Secrets) >= maxSecrets {
			return Errorf(CodeConflict, op, "The secret was changed %d times in a day.", len(w.Secrets)-1).WithHint("Wait until the oldest one has expired.")
		}
		if len(w.Secrets) > 0 {
			until := now.Add(SecretOverlap)
			w.Secrets[0].ExpiresAt = &until
		}
		w.Secrets = append([]WebhookSecret{{Value: secret}}, w.Secrets...)
		return nil
	})
	if err != nil {
		return Webhook{}, "", err
	}
	return w, secret, nil
}

// liveSecrets is every secret that signs at a time, newest first.
func (w Webhook) liveSecrets(now time.Time) []WebhookSecret {
	return slices.DeleteFunc(slices.Clone(w.Secrets), func(s WebhookSecret) bool {
		return s.ExpiresAt != nil && !now.Before(*s.ExpiresAt)
	})
}

// signatures is the header webhook-signature: one signature, of a time, for each secret that is live now, the newest first.
func (w Webhook) signatures(id string, now, at time.Time, body []byte) (string, error) {
	var all []string
	for _, s := range w.liveSecrets(now) {
		signature, err := signature.Sign(s.Value, id, at, body)
		if err != nil {
			return "", err
		}
		all = append(all, signature)
	}
	return strings.Join(all, " "), nil
}

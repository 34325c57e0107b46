package engine

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	secretPrefix = "whsec_"
	// SecretOverlap is how long the secret before signs too after a rotation.
	SecretOverlap = 24 * time.Hour
	// maxSecrets bounds how many secrets of one webhook sign at once, and so how long its signature header gets.
	maxSecrets = 10
)

// newWebhookSecret is 32 random bytes as Standard Webhooks writes them.
func (e *Engine) newWebhookSecret() (string, error) {
	var b [32]byte
	if _, err := io.ReadFull(e.entropy, b[:]); err != nil {
		return "", Errorf(CodeInternal, "NewSecret", "").Because(err)
	}
	return secretPrefix + base64.StdEncoding.EncodeToString(b[:]), nil
}

// RotateWebhookSecret gives a webhook of the caller's user a new secret, which can't be had again. The one before signs too for
// SecretOverlap, so that a receiver may change over in its own time. CodeNotFound, and CodeConflict when it was rotated too often of late.
func (e *Engine) RotateWebhookSecret(ctx context.Context, c Caller, id WebhookID) (Webhook, string, error) {
	const op = "RotateWebhookSecret"
	secret, err := e.newWebhookSecret()
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
		signature, err := sign(s.Value, id, at, body)
		if err != nil {
			return "", err
		}
		all = append(all, signature)
	}
	return strings.Join(all, " "), nil
}

// sign is a signature of Standard Webhooks 1.0.0: HMAC-SHA256 of "id.timestamp.body" with the bytes of the secret, in base64, after
// the version "v1,".
func sign(secret, id string, at time.Time, body []byte) (string, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil || len(key) == 0 {
		return "", Errorf(CodeInternal, "Sign", "").Because(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}

package outbox

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/soundstage-dev/soundstage/engine"
)

// Corruption says how a corrupt copy differs from the message.
type Corruption string

const (
	CorruptSignature Corruption = "signature" // one bit of each signature is flipped
	CorruptBody      Corruption = "body"      // the resource's id differs; the signature matches the original body
	CorruptTimestamp Corruption = "timestamp" // the timestamp is an hour old, with a matching signature
	CorruptID        Corruption = "id"        // the webhook-id differs; the signature matches the original id
)

// staleBy is the age of a copy with a corrupt timestamp. Verifiers of Standard Webhooks allow five minutes.
const staleBy = time.Hour

// Resend sends a message once more, outside the engine's deliveries, and returns the attempt when it has ended. The copy has the
// id, bytes, timestamp, and signature of the newest regular attempt. If newSignature is true, timestamp and signature are new.
// CodeNotFound for an unknown message; CodeConflict when the message has not been sent yet, or when a new signature requires a
// deleted webhook.
func (o *Outbox) Resend(ctx context.Context, id string, newSignature bool) (Attempt, error) {
	m, req, err := o.lastRequest(id)
	if err != nil {
		return Attempt{}, err
	}
	if newSignature {
		if err := o.sign(ctx, m, req.Header, req.Body, o.cfg.Now()); err != nil {
			return Attempt{}, err
		}
	}
	return o.sendCopy(ctx, m, KindResend, "", req), nil
}

// Duplicate concurrently sends two byte-for-byte copies of a message's newest regular attempt, and returns both attempts. It
// returns the errors of Resend.
func (o *Outbox) Duplicate(ctx context.Context, id string) ([]Attempt, error) {
	m, req, err := o.lastRequest(id)
	if err != nil {
		return nil, err
	}
	attempts := make([]Attempt, 2)
	var both sync.WaitGroup
	for i := range attempts {
		both.Go(func() { attempts[i] = o.sendCopy(ctx, m, KindDuplicate, "", req) })
	}
	both.Wait()
	return attempts, nil
}

// Corrupt sends a copy of a message that a receiver must reject, and returns the attempt: its response shows whether the receiver
// did. It returns the errors of Resend, and CodeInvalid for an unknown what.
func (o *Outbox) Corrupt(ctx context.Context, id string, what Corruption) (Attempt, error) {
	m, req, err := o.lastRequest(id)
	if err != nil {
		return Attempt{}, err
	}
	switch what {
	case CorruptSignature:
		req.Header["webhook-signature"] = corruptSignatures(req.Header["webhook-signature"])
	case CorruptBody:
		req.Body = corruptBody(req.Body)
	case CorruptID:
		req.Header["webhook-id"] = corruptID(req.Header["webhook-id"])
	case CorruptTimestamp:
		err = o.sign(ctx, m, req.Header, req.Body, o.cfg.Now().Add(-staleBy))
	default:
		err = engine.Errorf(engine.CodeInvalid, "Corrupt", "what must be signature, body, timestamp, or id.")
	}
	if err != nil {
		return Attempt{}, err
	}
	return o.sendCopy(ctx, m, KindCorrupt, what, req), nil
}

// lastRequest returns a message and a copy of its newest regular request.
func (o *Outbox) lastRequest(id string) (*message, engine.SendRequest, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m, err := o.get(id)
	if err != nil {
		return nil, engine.SendRequest{}, err
	}
	if m.last == nil {
		return nil, engine.SendRequest{}, engine.Errorf(engine.CodeConflict, "Resend", "The message has not been sent yet.").
			WithHint("Release held messages with POST /_soundstage/webhooks/release.")
	}
	req := *m.last
	req.Header = maps.Clone(m.last.Header)
	return m, req, nil
}

func (o *Outbox) sendCopy(ctx context.Context, m *message, kind Kind, what Corruption, req engine.SendRequest) Attempt {
	ctx, cancel := context.WithTimeout(ctx, directTimeout)
	defer cancel()
	req.Timeout = directTimeout
	_, a, _ := o.attempt(ctx, m, kind, what, req)
	return a
}

// sign sets a message's timestamp and signature headers for a time.
func (o *Outbox) sign(ctx context.Context, m *message, header map[string]string, body []byte, at time.Time) error {
	secret := m.secret
	if m.Webhook != "" {
		if err := o.attached("Sign"); err != nil {
			return err
		}
		err := o.store.View(ctx, func(tx engine.ReadTx) error {
			w, err := tx.Webhook(m.Webhook)
			if err == nil && len(w.Secrets) > 0 {
				secret = w.Secrets[0].Value
			}
			return err
		})
		if engine.CodeOf(err) == engine.CodeNotFound {
			return engine.Errorf(engine.CodeConflict, "Sign", "The message's webhook was deleted, and its secret with it.")
		}
		if err != nil {
			return err
		}
	}
	signature, err := signatureOf(secret, header["webhook-id"], at, body)
	if err != nil {
		return err
	}
	header["webhook-timestamp"], header["webhook-signature"] = strconv.FormatInt(at.Unix(), 10), signature
	return nil
}

func signatureOf(secret, id string, at time.Time, body []byte) (string, error) {
	signer, err := standardwebhooks.NewWebhook(secret)
	if err == nil {
		var signature string
		if signature, err = signer.Sign(id, at, body); err == nil {
			return signature, nil
		}
	}
	return "", engine.Errorf(engine.CodeInvalid, "Sign", "The signing secret is invalid.").Because(err)
}

// checkSecret returns CodeInvalid for a secret that is not valid in Standard Webhooks.
func checkSecret(secret string) error {
	key, found := strings.CutPrefix(secret, "whsec_")
	raw, err := base64.StdEncoding.DecodeString(key)
	if !found || err != nil || len(raw) < 24 || len(raw) > 64 {
		return engine.Errorf(engine.CodeInvalid, "Webhooks", "secret must be whsec_ followed by the base64 of 24 to 64 bytes.").
			WithHint("Use a signing secret, not an API secret.")
	}
	return nil
}

// corruptID changes the last character of an id.
func corruptID(id string) string {
	if id == "" {
		return "0"
	}
	last := byte('0')
	if id[len(id)-1] == last {
		last = '1'
	}
	return id[:len(id)-1] + string(last)
}

// corruptSignatures flips a bit of each signature in a header.
func corruptSignatures(header string) string {
	all := strings.Fields(header)
	for i, one := range all {
		version, text, _ := strings.Cut(one, ",")
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(raw) == 0 {
			raw = []byte{0}
		}
		raw[0] ^= 1
		all[i] = version + "," + base64.StdEncoding.EncodeToString(raw)
	}
	return strings.Join(all, " ")
}

// corruptBody changes the resource's id, so that the body stays valid. It appends a space to a body without ids.
func corruptBody(body []byte) []byte {
	for _, id := range idsIn(body) {
		quoted, err := json.Marshal(id)
		other, errOther := json.Marshal(corruptID(id))
		if err == nil && errOther == nil && bytes.Contains(body, quoted) {
			return bytes.Replace(body, quoted, other, 1)
		}
	}
	return append(bytes.Clone(body), ' ')
}

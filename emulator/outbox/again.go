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

// What says what is wrong with a corrupt copy.
type What string

const (
	WhatSignature What = "signature" // one bit of every signature is another one
	WhatBody      What = "body"      // the id of the resource is another one; the signature is of the right body
	WhatTimestamp What = "timestamp" // it is an hour old, and the signature is right: only the age is wrong
	WhatID        What = "id"        // the webhook-id is another one; the signature is of the right one
)

// staleBy is how old a copy with a corrupt timestamp is: far more than the five minutes that verifiers of Standard Webhooks allow.
const staleBy = time.Hour

// Resend sends a message once more, around the engine's deliveries: the same bytes as the newest regular try with the same id, timestamp
// and signature; with anew, timestamp and signature are of this moment. It returns the try when it is over, whatever came of it.
// CodeNotFound; CodeConflict when the message has not been sent yet, or is to be signed and its webhook is gone.
func (o *Outbox) Resend(ctx context.Context, id string, anew bool) (Attempt, error) {
	m, req, err := o.again(id)
	if err != nil {
		return Attempt{}, err
	}
	if anew {
		if err := o.sign(ctx, m, req.Header, req.Body, o.cfg.Now()); err != nil {
			return Attempt{}, err
		}
	}
	return o.repeat(ctx, m, KindResend, "", req), nil
}

// Duplicate sends two copies of a message at once, byte for byte the same as its newest regular try, and returns both tries. It has the
// errors of Resend.
func (o *Outbox) Duplicate(ctx context.Context, id string) ([]Attempt, error) {
	m, req, err := o.again(id)
	if err != nil {
		return nil, err
	}
	tries := make([]Attempt, 2)
	var both sync.WaitGroup
	for i := range tries {
		both.Go(func() { tries[i] = o.repeat(ctx, m, KindDuplicate, "", req) })
	}
	both.Wait()
	return tries, nil
}

// Corrupt sends a copy of a message that a receiver must refuse, and returns the try: whether it did is in its response. It has the
// errors of Resend, and CodeInvalid for an unknown what.
func (o *Outbox) Corrupt(ctx context.Context, id string, what What) (Attempt, error) {
	m, req, err := o.again(id)
	if err != nil {
		return Attempt{}, err
	}
	switch what {
	case WhatSignature:
		req.Header["webhook-signature"] = spoilSignatures(req.Header["webhook-signature"])
	case WhatBody:
		req.Body = spoilBody(req.Body)
	case WhatID:
		req.Header["webhook-id"] = spoil(req.Header["webhook-id"])
	case WhatTimestamp:
		err = o.sign(ctx, m, req.Header, req.Body, o.cfg.Now().Add(-staleBy))
	default:
		err = engine.Errorf(engine.CodeInvalid, "Corrupt", "what must be signature, body, timestamp or id.")
	}
	if err != nil {
		return Attempt{}, err
	}
	return o.repeat(ctx, m, KindCorrupt, what, req), nil
}

// again returns a message and a copy of its newest regular request.
func (o *Outbox) again(id string) (*message, engine.SendRequest, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m, err := o.get(id)
	if err != nil {
		return nil, engine.SendRequest{}, err
	}
	if m.last == nil {
		return nil, engine.SendRequest{}, engine.Errorf(engine.CodeConflict, "Resend", "The message has not been sent yet.").
			WithHint("POST /_soundstage/webhooks/release sends what is held.")
	}
	req := *m.last
	req.Header = maps.Clone(m.last.Header)
	return m, req, nil
}

func (o *Outbox) repeat(ctx context.Context, m *message, kind Kind, what What, req engine.SendRequest) Attempt {
	ctx, cancel := context.WithTimeout(ctx, directTimeout)
	defer cancel()
	req.Timeout = directTimeout
	_, a, _ := o.try(ctx, m, kind, what, req)
	return a
}

// sign writes the timestamp and the signature of a time into the headers of a message.
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
			return engine.Errorf(engine.CodeConflict, "Sign", "The webhook of the message is gone, and its secret with it.")
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
	return "", engine.Errorf(engine.CodeInvalid, "Sign", "The secret can't sign.").Because(err)
}

// checkSecret refuses what no receiver could verify with.
func checkSecret(secret string) error {
	key, found := strings.CutPrefix(secret, "whsec_")
	raw, err := base64.StdEncoding.DecodeString(key)
	if !found || err != nil || len(raw) < 24 || len(raw) > 64 {
		return engine.Errorf(engine.CodeInvalid, "Webhooks", "secret must be whsec_ and base64 of 24 to 64 bytes.").
			WithHint("It signs the messages; it is not the secret of an API key.")
	}
	return nil
}

// spoil changes the last character of an id.
func spoil(id string) string {
	if id == "" {
		return "0"
	}
	last := byte('0')
	if id[len(id)-1] == last {
		last = '1'
	}
	return id[:len(id)-1] + string(last)
}

// spoilSignatures changes a bit of every signature of a header.
func spoilSignatures(header string) string {
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

// spoilBody changes the id of the resource, so that the body is right in every other way; a body without one gets a space at its end.
func spoilBody(body []byte) []byte {
	for _, id := range idsIn(body) {
		quoted, err := json.Marshal(id)
		other, errOther := json.Marshal(spoil(id))
		if err == nil && errOther == nil && bytes.Contains(body, quoted) {
			return bytes.Replace(body, quoted, other, 1)
		}
	}
	return append(bytes.Clone(body), ' ')
}

package signature

import (
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

const (
	// Overlap is how long a secret still signs after a rotation has replaced it.
	Overlap = 24 * time.Hour
	// maxSecrets limits how many secrets of one webhook sign at the same time, and so the length of its signature header.
	maxSecrets = 10
)

// Secret signs the deliveries of one webhook. After a rotation, the previous one signs too until it expires.
type Secret struct {
	Value     string     // as NewSecret returns it; shown once
	ExpiresAt *time.Time // nil for the current one
}

// Secrets are the secrets of one webhook, newest first; the first one is current.
type Secrets []Secret

// Rotate returns the secrets with a new current one, without those that have expired. The previous one expires after Overlap.
// CodeConflict when 10 secrets are live.
func (s Secrets) Rotate(value string, now time.Time) (Secrets, error) {
	live := s.live(now)
	if len(live) >= maxSecrets {
		return nil, fault.Errorf(fault.CodeConflict, "", "The secret was changed %d times in a day.", len(live)-1).WithHint("Wait until the oldest one has expired.")
	}
	if len(live) > 0 {
		until := now.Add(Overlap)
		live[0].ExpiresAt = &until
	}
	return append(Secrets{{Value: value}}, live...), nil
}

// Header returns the header webhook-signature: one signature for each secret that is live now, newest first. signed is the time
// in the header webhook-timestamp.
func (s Secrets) Header(id string, now, signed time.Time, body []byte) (string, error) {
	var all []string
	for _, secret := range s.live(now) {
		signature, err := Sign(secret.Value, id, signed, body)
		if err != nil {
			return "", err
		}
		all = append(all, signature)
	}
	return strings.Join(all, " "), nil
}

// live returns a copy of the secrets that have not expired.
func (s Secrets) live(now time.Time) Secrets {
	return slices.DeleteFunc(slices.Clone(s), func(s Secret) bool { return s.ExpiresAt != nil && !now.Before(*s.ExpiresAt) })
}

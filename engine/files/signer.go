package files

import (
	"crypto/hmac"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// ErrExpired is the cause of Verify's error for a valid signature that has expired.
var ErrExpired = errors.New("files: the signed address has expired")

// Key is a secret for signing URLs.
type Key struct {
	ID     string // part of the URL; letters, digits, '-', '_', and '.'
	Secret []byte // at least 16 bytes
}

// Signer signs and verifies URLs. It is safe for concurrent use.
type Signer struct{ keys []Key }

const minSecret = 16

// NewSigner returns a Signer that signs with the first key and verifies with all. To rotate keys, add the new one at the
// front, and remove the old one when its last URL has expired. It returns CodeInvalid if there is no key, or a key is not
// valid.
func NewSigner(keys ...Key) (*Signer, error) {
	const op = "files.NewSigner"
	if len(keys) == 0 {
		return nil, engine.Errorf(engine.CodeInvalid, op, "At least one key is required.")
	}
	s := &Signer{}
	for _, k := range keys {
		switch {
		case !blob.ValidKey(k.ID), strings.Contains(k.ID, "/"):
			return nil, engine.Errorf(engine.CodeInvalid, op, "%q is not a valid key ID.", k.ID)
		case len(k.Secret) < minSecret:
			return nil, engine.Errorf(engine.CodeInvalid, op, "The secret of key %q has fewer than %d bytes.", k.ID, minSecret)
		case slices.ContainsFunc(s.keys, func(other Key) bool { return other.ID == k.ID }):
			return nil, engine.Errorf(engine.CodeInvalid, op, "Two keys have the ID %q.", k.ID)
		}
		s.keys = append(s.keys, Key{k.ID, slices.Clone(k.Secret)})
	}
	return s, nil
}

// Sign returns the query string of a signed URL. Expires is truncated to seconds.
func (s *Signer) Sign(g Grant) string { return g.values(s.keys[0]).Encode() }

// Verify returns the grant of a request. It returns CodeForbidden unless the method, the object's key, and all query
// parameters are exactly the signed ones, each once, and unless now is before the expiry. errors.Is(err, ErrExpired)
// identifies an expired URL. Verify a HEAD as a GET.
func (s *Signer) Verify(method, key, query string, now time.Time) (Grant, error) {
	const op = "files.Verify"
	bad := engine.Errorf(engine.CodeForbidden, op, "The signature of this address is not valid.").
		WithHint("Use the address exactly as it was given, with the same method and content type.")
	given, err := url.ParseQuery(query)
	if err != nil {
		return Grant{}, bad.Because(err)
	}
	i := slices.IndexFunc(s.keys, func(k Key) bool { return k.ID == given.Get(paramKeyID) })
	if i < 0 {
		return Grant{}, bad
	}
	g := parseGrant(method, key, given)
	signed := g.values(s.keys[i])
	// Check the signature first, in constant time, so that later checks reveal nothing.
	if !hmac.Equal([]byte(given.Get(paramMAC)), []byte(signed.Get(paramMAC))) || !maps.EqualFunc(given, signed, slices.Equal[[]string]) {
		return Grant{}, bad
	}
	if !now.Before(g.Expires) {
		return Grant{}, engine.Errorf(engine.CodeForbidden, op, "This address has expired.").WithRule("upload.expired").
			WithHint("Ask for a new one.").Because(ErrExpired)
	}
	return g, nil
}

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

// ErrExpired is the cause of Verify's error when the address was genuine, but its time is over.
var ErrExpired = errors.New("files: the signed address has expired")

// Key is a secret that addresses are signed with.
type Key struct {
	ID     string // stands in the address; letters, digits, '-', '_' and '.'
	Secret []byte // at least 16 bytes
}

// Signer makes and checks signed addresses. It is safe for concurrent use.
type Signer struct{ keys []Key }

const minSecret = 16

// NewSigner returns a Signer that signs with the first key and takes the signatures of all. To replace a key, put the new
// one first, and drop the old one when its last address has expired. CodeInvalid when there is no key, or one is unusable.
func NewSigner(keys ...Key) (*Signer, error) {
	const op = "files.NewSigner"
	if len(keys) == 0 {
		return nil, engine.Errorf(engine.CodeInvalid, op, "A key is needed.")
	}
	s := &Signer{}
	for _, k := range keys {
		switch {
		case !blob.ValidKey(k.ID), strings.Contains(k.ID, "/"):
			return nil, engine.Errorf(engine.CodeInvalid, op, "%q is not an id of a key.", k.ID)
		case len(k.Secret) < minSecret:
			return nil, engine.Errorf(engine.CodeInvalid, op, "The secret of key %q has fewer than %d bytes.", k.ID, minSecret)
		case slices.ContainsFunc(s.keys, func(other Key) bool { return other.ID == k.ID }):
			return nil, engine.Errorf(engine.CodeInvalid, op, "There are two keys %q.", k.ID)
		}
		s.keys = append(s.keys, Key{k.ID, slices.Clone(k.Secret)})
	}
	return s, nil
}

// Sign returns the query string of the address. Expires counts in whole seconds.
func (s *Signer) Sign(g Grant) string { return g.values(s.keys[0]).Encode() }

// Verify returns the grant of a request. It fails with CodeForbidden unless the method, the object's key and every
// parameter of the query are those that were signed, each there once and none besides, and unless now is before the end;
// errors.Is(err, ErrExpired) tells the last case apart. A HEAD is to be verified as a GET.
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
	// The signature goes first, in constant time; what comes after it can't be learned from.
	if !hmac.Equal([]byte(given.Get(paramMAC)), []byte(signed.Get(paramMAC))) || !maps.EqualFunc(given, signed, slices.Equal[[]string]) {
		return Grant{}, bad
	}
	if !now.Before(g.Expires) {
		return Grant{}, engine.Errorf(engine.CodeForbidden, op, "This address has expired.").WithRule("upload.expired").
			WithHint("Ask for a new one.").Because(ErrExpired)
	}
	return g, nil
}

package engine

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"slices"
	"time"
)

// KeyID identifies a Key.
type KeyID string

// Tier is what a plan grants. Tiers are cumulative, in the order of Tiers.
type Tier string

const (
	TierNone       Tier = "none"       // no API access
	TierCore       Tier = "core"       // plan Starter
	TierAutomation Tier = "automation" // plan Team
	TierPlatform   Tier = "platform"   // plan Business
)

// Tiers returns all tiers, the lowest first.
func Tiers() []Tier { return []Tier{TierNone, TierCore, TierAutomation, TierPlatform} }

// Includes reports whether a plan of tier t grants what needs tier other.
func (t Tier) Includes(other Tier) bool {
	have, want := slices.Index(Tiers(), t), slices.Index(Tiers(), other)
	return have >= 0 && want >= 0 && have >= want
}

// Key is an API key. Its secret is shown once and kept only as a hash.
type Key struct {
	ID             KeyID
	UserID         UserID
	DefaultSpaceID SpaceID
	Tier           Tier
	Name           string
	Hash           [32]byte // SHA-256 of the secret, which has at least 128 bits of entropy or is a sandbox's
	Last4          string   // the secret's last four characters, to tell keys apart
	CreatedAt      time.Time
}

// Caller is on whose behalf a method runs: what Authenticate makes of a secret, or CreateAccount of nothing.
type Caller struct {
	UserID         UserID
	AccountID      AccountID
	KeyID          KeyID // "" when no key is involved
	DefaultSpaceID SpaceID
	Tier           Tier
}

// HashSecret returns the form in which a secret is stored and looked up.
func HashSecret(secret string) [32]byte { return sha256.Sum256([]byte(secret)) }

// Authenticate returns whose secret this is, or CodeUnauthenticated.
func (e *Engine) Authenticate(ctx context.Context, secret string) (Caller, error) {
	const op = "Authenticate"
	hash := HashSecret(secret)
	var key Key
	var user User
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		if key, err = tx.KeyByHash(hash); err != nil {
			return err
		}
		user, err = tx.User(key.UserID)
		return err
	})
	// The comparison runs for an unknown secret too (against zeros), so that both take the same time.
	same := subtle.ConstantTimeCompare(hash[:], key.Hash[:]) == 1
	if CodeOf(err) == CodeNotFound || (err == nil && (secret == "" || !same)) {
		return Caller{}, Errorf(CodeUnauthenticated, op, "The API secret is not valid.").
			WithHint("Send the header “Authorization: Bearer <API_SECRET>” with a secret of this server.")
	}
	if err != nil {
		return Caller{}, wrap(op, err)
	}
	return Caller{UserID: user.ID, AccountID: user.AccountID, KeyID: key.ID, DefaultSpaceID: key.DefaultSpaceID, Tier: key.Tier}, nil
}

// NewKey is what CreateKey needs to know.
type NewKey struct {
	Name           string
	Tier           Tier    // default TierPlatform
	DefaultSpaceID SpaceID // default the caller's
	Secret         string  // "" makes one; a fixed one is for sandboxes only
}

// CreateKey makes a key for the caller's user and returns it with its secret, which can't be had again. Creating a key
// with a fixed Secret that exists already returns the existing key.
func (e *Engine) CreateKey(ctx context.Context, c Caller, n NewKey) (Key, string, error) {
	const op = "CreateKey"
	if n.Tier == "" {
		n.Tier = TierPlatform
	}
	if !slices.Contains(Tiers(), n.Tier) {
		return Key{}, "", Errorf(CodeInvalid, op, "Tier %q does not exist.", n.Tier).WithHint("Use none, core, automation or platform.")
	}
	if n.DefaultSpaceID == "" {
		n.DefaultSpaceID = c.DefaultSpaceID
	}
	secret := n.Secret
	if secret == "" {
		secret = "sk_" + rand.Text() + rand.Text()
	}
	key := Key{
		ID: KeyID(e.ids.NewID("key")), UserID: c.UserID, DefaultSpaceID: n.DefaultSpaceID, Tier: n.Tier, Name: n.Name,
		Hash: HashSecret(secret), Last4: secret[max(0, len(secret)-4):], CreatedAt: e.now(),
	}
	err := e.store.Update(ctx, func(tx Tx) error {
		if old, err := tx.KeyByHash(key.Hash); err == nil {
			if old.UserID != c.UserID {
				return Errorf(CodeConflict, op, "This secret belongs to another user.")
			}
			key = old
			return nil
		}
		if _, err := memberSpace(tx, c, n.DefaultSpaceID); err != nil {
			return err
		}
		return tx.PutKey(key)
	})
	if err != nil {
		return Key{}, "", wrap(op, err)
	}
	return key, secret, nil
}

// ListKeys returns the keys of the caller's user, oldest first. Secrets are not among them.
func (e *Engine) ListKeys(ctx context.Context, c Caller) (keys []Key, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		keys, err = tx.Keys(c.UserID)
		return err
	})
	return keys, wrap("ListKeys", err)
}

// DeleteKey revokes a key of the caller's user: its secret is refused from now on.
func (e *Engine) DeleteKey(ctx context.Context, c Caller, id KeyID) error {
	const op = "DeleteKey"
	return wrap(op, e.store.Update(ctx, func(tx Tx) error {
		keys, err := tx.Keys(c.UserID)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(keys, func(k Key) bool { return k.ID == id }) {
			return NotFound(op, "key")
		}
		return tx.DeleteKey(id)
	}))
}

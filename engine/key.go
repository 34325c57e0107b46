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

// Tier is the access level of a plan. Each tier includes the ones before it in Tiers.
type Tier string

const (
	TierNone       Tier = "none"       // no API access
	TierCore       Tier = "core"       // plan Starter
	TierAutomation Tier = "automation" // plan Team
	TierPlatform   Tier = "platform"   // plan Business
)

// Tiers returns all tiers, lowest first.
func Tiers() []Tier { return []Tier{TierNone, TierCore, TierAutomation, TierPlatform} }

// Includes reports whether tier t grants everything that tier other grants.
func (t Tier) Includes(other Tier) bool {
	have, want := slices.Index(Tiers(), t), slices.Index(Tiers(), other)
	return have >= 0 && want >= 0 && have >= want
}

// Key is an API key. Its secret is shown once and stored only as a hash.
type Key struct {
	ID             KeyID
	UserID         UserID
	DefaultSpaceID SpaceID
	Tier           Tier
	Name           string
	Hash           [32]byte // SHA-256 of the secret; a slow hash isn't needed, because secrets have at least 128 bits of entropy or belong to a sandbox
	Last4          string   // the secret's last four characters, for display
	CreatedAt      time.Time
}

// Caller identifies the user a method runs for. Authenticate and CreateAccount return one.
type Caller struct {
	UserID         UserID
	AccountID      AccountID
	KeyID          KeyID // "" without a key
	DefaultSpaceID SpaceID
	Tier           Tier
}

// HashSecret returns the hash under which a secret is stored.
func HashSecret(secret string) [32]byte { return sha256.Sum256([]byte(secret)) }

// Authenticate returns the Caller of an API secret, or CodeUnauthenticated.
func (e *Engine) Authenticate(ctx context.Context, secret string) (Caller, error) {
	const op = "Authenticate"
	hash := HashSecret(secret)
	caller, stored, err := e.keyOwner(ctx, hash)
	// An unknown secret is compared as well (with zeros), so that known and unknown secrets take the same time.
	same := subtle.ConstantTimeCompare(hash[:], stored[:]) == 1
	if CodeOf(err) == CodeNotFound || (err == nil && (secret == "" || !same)) {
		return Caller{}, Errorf(CodeUnauthenticated, op, "The API secret is not valid.").
			WithHint("Send the header “Authorization: Bearer <API_SECRET>” with a secret of this server.")
	}
	if err != nil {
		return Caller{}, wrap(op, err)
	}
	return caller, nil
}

// keyOwner returns the caller of the key whose secret has a hash, and the hash that is stored with it.
func (e *Engine) keyOwner(ctx context.Context, hash [32]byte) (Caller, [32]byte, error) {
	if e.joining != nil {
		key, user, account, err := e.joining.KeyOwner(ctx, hash)
		return keyCaller(key, user, account), key.Hash, err
	}
	var found struct { // one, because each variable that a closure sets is an allocation of its own
		caller Caller
		hash   [32]byte
	}
	err := e.store.View(ctx, func(tx ReadTx) error {
		key, err := tx.KeyByHash(hash)
		if err != nil {
			return err
		}
		user, err := tx.User(key.UserID)
		if err != nil {
			return err
		}
		account, err := tx.Account(user.AccountID)
		found.caller, found.hash = keyCaller(key, user, account), key.Hash
		return err
	})
	return found.caller, found.hash, err
}

func keyCaller(key Key, user User, account Account) Caller {
	return Caller{UserID: user.ID, AccountID: user.AccountID, KeyID: key.ID, DefaultSpaceID: key.DefaultSpaceID, Tier: account.limit(key.Tier)}
}

// NewKey is the request for a key.
type NewKey struct {
	Name           string
	Tier           Tier    // default TierPlatform
	DefaultSpaceID SpaceID // default the caller's
	Secret         string  // "" makes a random one; fixed ones are for sandboxes only
}

// CreateKey creates a key for the caller's user and returns it with its secret, which can't be read again. If a key with the given Secret
// exists, CreateKey returns that key.
func (e *Engine) CreateKey(ctx context.Context, c Caller, n NewKey) (Key, string, error) {
	const op = "CreateKey"
	if n.Tier == "" {
		n.Tier = TierPlatform
	}
	if !slices.Contains(Tiers(), n.Tier) {
		return Key{}, "", badTier(op, n.Tier)
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
		Hash: HashSecret(secret), Last4: secret[max(0, len(secret)-4):], CreatedAt: e.created("key"),
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

// ListKeys returns the keys of the caller's user without their secrets, oldest first.
func (e *Engine) ListKeys(ctx context.Context, c Caller) (keys []Key, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		keys, err = tx.Keys(c.UserID)
		return err
	})
	return keys, wrap("ListKeys", err)
}

// DeleteKey revokes a key of the caller's user: its secret stops working immediately. Errors: CodeNotFound.
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

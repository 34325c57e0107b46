package engine

import (
	"cmp"
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

type (
	// AccountID identifies an Account.
	AccountID string
	// UserID identifies a User.
	UserID string
)

// Default storage limits of an account, in bytes.
const (
	DefaultStorageSoftLimit = 10 << 30
	DefaultStorageHardLimit = 20 << 30
)

// Account pays: it owns spaces and users and has one storage allowance.
type Account struct {
	ID               AccountID
	Name             string
	StorageUsed      int64         // bytes, reserved when an upload is created and released when it expires
	StorageSoftLimit int64         // bytes; usage is reported as a percentage of it
	StorageHardLimit int64         // bytes; uploads and imports beyond it are refused
	SpeechUsed       time.Duration // transcribed in the current period
	SpeechLimit      time.Duration // per period; 0 for unlimited; reported, not enforced
	Tier             Tier          // highest tier of its users and keys; "" for TierPlatform
	PeriodStart      time.Time     // start of the period that SpeechUsed counts; zero before the first transcript
	CreatedAt        time.Time
}

// User is a person of an account and a member of any number of spaces.
type User struct {
	ID        UserID
	AccountID AccountID
	Name      string
	CreatedAt time.Time
}

// reserve reserves size bytes of the account's storage, or fails with CodeStorageLimit.
func (a *Account) reserve(size int64) error {
	if size > a.StorageHardLimit-a.StorageUsed {
		return Errorf(CodeStorageLimit, "reserve", "storage limit exceeded")
	}
	a.StorageUsed += size
	return nil
}

// release returns size bytes of storage.
func (a *Account) release(size int64) {
	a.StorageUsed = max(0, a.StorageUsed-size)
}

// limit returns the tier of a key: its own, but no more than the account's.
func (a *Account) limit(t Tier) Tier {
	if a.Tier != "" && t.Includes(a.Tier) {
		return a.Tier
	}
	return t
}

// NewAccount is the request for an account. Every field has a useful zero value.
type NewAccount struct {
	Name     string              // of the account, its user and its space
	Language transcript.Language // of its space; default DefaultLanguage

	// IDs default to new ones of Config.IDs.
	AccountID AccountID
	UserID    UserID
	SpaceID   SpaceID
}

// CreateAccount creates an account with one user and one space, and returns that user as a Caller of the highest tier. It is all that an
// embedding program needs before its first recording. If the given account id exists, the account stays as it is, and CreateAccount
// returns the Caller of its user with the given id, or else of its oldest user. Errors: CodeInvalid, CodeConflict (a given id belongs to another
// account, or of a space that the user doesn't belong to).
func (e *Engine) CreateAccount(ctx context.Context, n NewAccount) (Caller, error) {
	const op = "CreateAccount"
	if n.Language == "" {
		n.Language = transcript.DefaultLanguage
	}
	if !n.Language.Supported() {
		return Caller{}, Errorf(CodeInvalid, op, "Language %q is not supported.", n.Language)
	}
	given := n
	if n.Name == "" {
		n.Name = "Default"
	}
	if n.AccountID == "" {
		n.AccountID = AccountID(e.ids.NewID("account"))
	}
	if n.UserID == "" {
		n.UserID = UserID(e.ids.NewID("user"))
	}
	if n.SpaceID == "" {
		n.SpaceID = SpaceID(e.ids.NewID("space"))
	}
	var caller Caller
	now := e.now()
	err := e.store.Update(ctx, func(tx Tx) error {
		known, err := tx.Account(n.AccountID)
		if err == nil {
			caller, err = knownCaller(tx, known, given)
			return err
		}
		if CodeOf(err) != CodeNotFound {
			return err
		}
		if err := checkNew(tx, n.UserID); err != nil {
			return err
		}
		if _, err := tx.Space(n.SpaceID); CodeOf(err) != CodeNotFound {
			return cmp.Or(err, error(Errorf(CodeConflict, op, "A space with the id %q exists.", n.SpaceID)))
		}
		if err := tx.PutAccount(Account{
			ID: n.AccountID, Name: n.Name, CreatedAt: now,
			StorageSoftLimit: e.storageSoft, StorageHardLimit: e.storageHard, SpeechLimit: e.speechLimit,
		}); err != nil {
			return err
		}
		if err := tx.PutUser(User{ID: n.UserID, AccountID: n.AccountID, Name: n.Name, CreatedAt: e.created("user")}); err != nil {
			return err
		}
		if err := e.createSpace(tx, Space{
			ID: n.SpaceID, AccountID: n.AccountID, Name: n.Name, Language: n.Language, AutoGenerate: true, CreatedAt: e.created("space"),
		}, n.UserID); err != nil {
			return err
		}
		caller = Caller{UserID: n.UserID, AccountID: n.AccountID, DefaultSpaceID: n.SpaceID, Tier: TierPlatform}
		return nil
	})
	if err != nil {
		return Caller{}, wrap(op, err)
	}
	return caller, nil
}

// knownCaller returns the Caller of an existing account for the given ids, of which "" is any.
func knownCaller(tx ReadTx, a Account, given NewAccount) (Caller, error) {
	user := given.UserID
	if user == "" {
		users, err := tx.Users(a.ID)
		if err != nil {
			return Caller{}, err
		}
		if len(users) == 0 {
			return Caller{}, Errorf(CodeConflict, "", "The account %q exists, and has no user.", a.ID).WithHint("Use CreateUser.")
		}
		user = users[0].ID
	}
	c, err := callerOf(tx, user, given.SpaceID)
	if CodeOf(err) == CodeNotFound || err == nil && c.AccountID != a.ID {
		return Caller{}, Errorf(CodeConflict, "", "The account %q exists, but its user %q with the space %q doesn't.", a.ID, user, given.SpaceID).
			WithHint("Leave UserID and SpaceID empty, or use CreateUser.")
	}
	return c, err
}

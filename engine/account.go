package engine

import (
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

// Default storage limits of an account, in bytes (decisions.md, Authentication, plans, tiers, limits).
const (
	DefaultStorageSoftLimit = 10 << 30
	DefaultStorageHardLimit = 20 << 30
)

// Account is who pays: it owns spaces and users and has one storage allowance.
type Account struct {
	ID               AccountID
	Name             string
	StorageUsed      int64         // bytes, reserved when an upload is created and released when it expires
	StorageSoftLimit int64         // bytes; percentages are told against it
	StorageHardLimit int64         // bytes; nothing is accepted beyond it
	SpeechUsed       time.Duration // transcribed in the period
	SpeechLimit      time.Duration // of a period; 0 for unlimited. It is told, not enforced
	PeriodStart      time.Time     // of the period that SpeechUsed counts; zero before anything was transcribed
	CreatedAt        time.Time
}

// User is a person of an account. A user belongs to any number of spaces.
type User struct {
	ID        UserID
	AccountID AccountID
	Name      string
	CreatedAt time.Time
}

// reserve takes size bytes of the account's storage, or fails with CodeStorageLimit.
func (a *Account) reserve(size int64) error {
	if size > a.StorageHardLimit-a.StorageUsed {
		return Errorf(CodeStorageLimit, "reserve", "storage limit exceeded")
	}
	a.StorageUsed += size
	return nil
}

// release gives size bytes back.
func (a *Account) release(size int64) {
	a.StorageUsed = max(0, a.StorageUsed-size)
}

// NewAccount is what CreateAccount needs to know; every field has a useful zero value.
type NewAccount struct {
	Name     string              // of the account, its user and its space
	Language transcript.Language // of its space; default DefaultLanguage

	// Ids are made by Config.IDs unless they are given here.
	AccountID AccountID
	UserID    UserID
	SpaceID   SpaceID
}

// CreateAccount makes an account with one user and one space, and returns that user as a Caller of the highest tier:
// all that an embedding program needs to begin. An account whose given id exists is returned as it is.
func (e *Engine) CreateAccount(ctx context.Context, n NewAccount) (Caller, error) {
	const op = "CreateAccount"
	if n.Language == "" {
		n.Language = transcript.DefaultLanguage
	}
	if !n.Language.Supported() {
		return Caller{}, Errorf(CodeInvalid, op, "Language %q is not supported.", n.Language)
	}
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
	caller := Caller{UserID: n.UserID, AccountID: n.AccountID, DefaultSpaceID: n.SpaceID, Tier: TierPlatform}
	now := e.now()
	err := e.store.Update(ctx, func(tx Tx) error {
		if _, err := tx.Account(n.AccountID); CodeOf(err) != CodeNotFound {
			return err
		}
		if err := tx.PutAccount(Account{
			ID: n.AccountID, Name: n.Name, CreatedAt: now,
			StorageSoftLimit: e.storageSoft, StorageHardLimit: e.storageHard, SpeechLimit: e.speechLimit,
		}); err != nil {
			return err
		}
		if err := tx.PutUser(User{ID: n.UserID, AccountID: n.AccountID, Name: n.Name, CreatedAt: now}); err != nil {
			return err
		}
		return e.createSpace(tx, Space{
			ID: n.SpaceID, AccountID: n.AccountID, Name: n.Name, Language: n.Language, AutoGenerate: true, CreatedAt: now,
		}, n.UserID)
	})
	return caller, wrap(op, err)
}

package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// The methods about accounts and users are for the program that embeds the engine, and take no Caller: it decides who may call them.

// GetAccount returns an account, or CodeNotFound.
func (e *Engine) GetAccount(ctx context.Context, id AccountID) (a Account, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		a, err = tx.Account(id)
		return err
	})
	return a, wrap("GetAccount", err)
}

// ListAccounts returns at most limit accounts in the order of their ids, after one; "" starts with the first. A limit of 0 is
// MaxPageSize.
func (e *Engine) ListAccounts(ctx context.Context, after AccountID, limit int) (accounts []Account, err error) {
	if limit <= 0 {
		limit = MaxPageSize
	}
	err = e.store.View(ctx, func(tx ReadTx) error {
		accounts, err = tx.Accounts(after, limit)
		return err
	})
	return accounts, wrap("ListAccounts", err)
}

// UpdateAccount changes the name, the tier, and the limits of an account. A lower tier counts for its keys from their next request on; a
// lower storage limit refuses new media and removes nothing. Changes to other fields are ignored. change may be called more than once.
// Errors: those of change, CodeInvalid, CodeNotFound.
func (e *Engine) UpdateAccount(ctx context.Context, id AccountID, change func(*Account) error) (Account, error) {
	const op = "UpdateAccount"
	var a Account
	err := e.store.Update(ctx, func(tx Tx) (err error) {
		if a, err = tx.Account(id); err != nil {
			return err
		}
		wanted := a
		if err := change(&wanted); err != nil {
			return err
		}
		a.Name, a.Tier, a.SpeechLimit = strings.TrimSpace(wanted.Name), wanted.Tier, wanted.SpeechLimit
		a.StorageSoftLimit, a.StorageHardLimit = wanted.StorageSoftLimit, wanted.StorageHardLimit
		if err := a.validate(op); err != nil {
			return err
		}
		return tx.PutAccount(a)
	})
	if err != nil {
		return Account{}, wrap(op, err)
	}
	return a, nil
}

func (a Account) validate(op string) error {
	switch {
	case a.Name == "":
		return Errorf(CodeInvalid, op, "An account needs a name.")
	case a.Tier != "" && !slices.Contains(Tiers(), a.Tier):
		return badTier(op, a.Tier)
	case a.StorageSoftLimit <= 0 || a.StorageHardLimit <= 0 || a.SpeechLimit < 0:
		return Errorf(CodeInvalid, op, "Limits of storage must be greater than 0, and SpeechLimit must not be negative.")
	}
	return input.CheckLine(op, "name", a.Name)
}

func badTier(op string, t Tier) error {
	return Errorf(CodeInvalid, op, "Tier %q does not exist.", t).WithHint("Use none, core, automation or platform.")
}

// NewUser is the request for a user.
type NewUser struct {
	ID       UserID              // default a new one of Config.IDs
	Name     string              // required
	SpaceID  SpaceID             // of the account, to be a member of; default a new space with the user as its owner
	Language transcript.Language // of a new space; default DefaultLanguage
}

// CreateUser creates a user of an account and returns its Caller. Errors: CodeInvalid, CodeNotFound (the account or the space),
// CodeConflict (the id exists).
func (e *Engine) CreateUser(ctx context.Context, account AccountID, n NewUser) (Caller, error) {
	const op = "CreateUser"
	if n.Name = strings.TrimSpace(n.Name); n.Name == "" {
		return Caller{}, Errorf(CodeInvalid, op, "A user needs a name.")
	}
	if err := input.CheckLine(op, "name", n.Name); err != nil {
		return Caller{}, err
	}
	n.ID = UserID(cmp.Or(string(n.ID), e.ids.NewID("user")))
	n.Language = transcript.Language(cmp.Or(string(n.Language), string(transcript.DefaultLanguage)))
	newSpace := SpaceID(e.ids.NewID("space"))
	var c Caller
	err := e.store.Update(ctx, func(tx Tx) error {
		a, err := tx.Account(account)
		if err != nil {
			return err
		}
		if err := checkNew(tx, n.ID); err != nil {
			return err
		}
		if err := tx.PutUser(User{ID: n.ID, AccountID: a.ID, Name: n.Name, CreatedAt: e.created("user")}); err != nil {
			return err
		}
		if n.SpaceID == "" {
			err = e.createSpace(tx, Space{
				ID: newSpace, AccountID: a.ID, Name: n.Name, Language: n.Language, AutoGenerate: true, CreatedAt: e.created("space"),
			}, n.ID)
		} else {
			err = joinSpace(tx, a, n.SpaceID, n.ID)
		}
		if err != nil {
			return err
		}
		c, err = callerOf(tx, n.ID, SpaceID(cmp.Or(string(n.SpaceID), string(newSpace))))
		return err
	})
	if err != nil {
		return Caller{}, wrap(op, err)
	}
	return c, nil
}

// checkNew returns CodeConflict if a user with the id exists.
func checkNew(tx ReadTx, id UserID) error {
	switch _, err := tx.User(id); CodeOf(err) {
	case CodeNotFound:
		return nil
	case "":
		return Errorf(CodeConflict, "", "A user with the id %q exists.", id).WithHint("Use another id, or CallerOf for the user.")
	default:
		return err
	}
}

// joinSpace makes a user a member of a space of the account.
func joinSpace(tx Tx, a Account, id SpaceID, user UserID) error {
	s, err := tx.Space(id)
	if err == nil && s.AccountID != a.ID {
		err = NotFound("", "space")
	}
	if err != nil {
		return err
	}
	if len(s.Owners) == 0 {
		if err := fixOwners(tx, &s); err != nil {
			return err
		}
	}
	return tx.AddMember(id, user)
}

// CallerOf returns the Caller of a user: with the tier of the account, and the oldest active space of the user as its default. It does not
// check who asks. Errors: CodeNotFound.
func (e *Engine) CallerOf(ctx context.Context, id UserID) (c Caller, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		c, err = callerOf(tx, id, "")
		return err
	})
	return c, wrap("CallerOf", err)
}

// callerOf returns the Caller of a user with a default space, which must be one of the user's; "" is the oldest active one.
func callerOf(tx ReadTx, id UserID, space SpaceID) (Caller, error) {
	u, err := tx.User(id)
	if err != nil {
		return Caller{}, err
	}
	a, err := tx.Account(u.AccountID)
	if err != nil {
		return Caller{}, err
	}
	spaces, err := tx.SpacesOf(id)
	if err != nil {
		return Caller{}, err
	}
	i := slices.IndexFunc(spaces, func(s Space) bool { return s.ID == space || space == "" && !s.Inactive })
	switch {
	case i >= 0:
		space = spaces[i].ID
	case space != "":
		return Caller{}, NotFound("", "space")
	}
	return Caller{UserID: id, AccountID: a.ID, DefaultSpaceID: space, Tier: Tier(cmp.Or(string(a.Tier), string(TierPlatform)))}, nil
}

// ListUsers returns the users of an account, oldest first, or CodeNotFound.
func (e *Engine) ListUsers(ctx context.Context, account AccountID) (users []User, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		if _, err := tx.Account(account); err != nil {
			return err
		}
		users, err = tx.Users(account)
		return err
	})
	return users, wrap("ListUsers", err)
}

// RemoveUser removes a user with its keys, webhooks, and memberships. The user's recordings stay in their spaces. Errors: CodeNotFound,
// CodeConflict (the user is the only owner of a space).
func (e *Engine) RemoveUser(ctx context.Context, id UserID) error {
	const op = "RemoveUser"
	return wrap(op, e.store.Update(ctx, func(tx Tx) error {
		if _, err := tx.User(id); err != nil {
			return err
		}
		spaces, err := tx.SpacesOf(id)
		if err != nil {
			return err
		}
		for _, s := range spaces {
			if err := leaveSpace(tx, s, id); err != nil {
				return err
			}
		}
		if err := removeAccess(tx, id); err != nil {
			return err
		}
		return tx.DeleteUser(id)
	}))
}

// removeAccess removes the keys and webhooks of a user.
func removeAccess(tx Tx, id UserID) error {
	keys, err := tx.Keys(id)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := tx.DeleteKey(k.ID); err != nil {
			return err
		}
	}
	hooks, err := tx.Webhooks(id)
	if err != nil {
		return err
	}
	for _, h := range hooks {
		if err := tx.DeleteWebhook(h.ID); err != nil {
			return err
		}
	}
	return nil
}

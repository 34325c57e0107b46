package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// Creating an account whose id exists returns what is stored, never a user or a space that was not written.
func TestCreateKnownAccount(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	again, err := s.CreateAccount(t.Context(), engine.NewAccount{AccountID: "account", Name: "Other"})
	require.NoError(t, err)
	require.Equal(t, s.caller, again)
	same, err := s.CreateAccount(t.Context(), engine.NewAccount{AccountID: "account", UserID: "user", SpaceID: "space"})
	require.NoError(t, err)
	require.Equal(t, s.caller, same)
	_, err = s.ListSpaces(t.Context(), again)
	require.NoError(t, err)
	for _, n := range []engine.NewAccount{
		{AccountID: "account", UserID: "ghost"}, {AccountID: "account", SpaceID: "ghost"}, {UserID: "user"}, {SpaceID: "space"},
	} {
		_, err := s.CreateAccount(t.Context(), n)
		requireCode(t, engine.CodeConflict, err)
	}
	a, err := s.GetAccount(t.Context(), "account")
	require.NoError(t, err)
	require.Equal(t, "Test", a.Name)
	accounts, err := s.ListAccounts(t.Context(), "", 0)
	require.NoError(t, err)
	require.Equal(t, []engine.Account{a}, accounts)
}

// A user has a space of its own or joins one, and works with its Caller.
func TestUsers(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	ann, err := s.CreateUser(t.Context(), "account", engine.NewUser{ID: "ann", Name: " Ann ", Language: "fr"})
	require.NoError(t, err)
	require.Equal(t, engine.Caller{UserID: "ann", AccountID: "account", DefaultSpaceID: ann.DefaultSpaceID, Tier: engine.TierPlatform}, ann)
	own, err := s.ListSpaces(t.Context(), ann)
	require.NoError(t, err)
	require.Len(t, own, 1)
	require.Equal(t, "Ann", own[0].Name)
	require.EqualValues(t, "fr", own[0].Language)
	bob, err := s.CreateUser(t.Context(), "account", engine.NewUser{Name: "Bob", SpaceID: "space"})
	require.NoError(t, err)
	require.EqualValues(t, "space", bob.DefaultSpaceID)
	r := s.record()
	_, _, err = s.GetRecording(t.Context(), bob, r.ID)
	require.NoError(t, err)
	_, _, err = s.GetRecording(t.Context(), ann, r.ID)
	requireCode(t, engine.CodeNotFound, err)
	users, err := s.ListUsers(t.Context(), "account")
	require.NoError(t, err)
	require.Len(t, users, 3)
	found, err := s.CallerOf(t.Context(), bob.UserID)
	require.NoError(t, err)
	require.Equal(t, bob, found)

	for n, code := range map[engine.NewUser]engine.Code{
		{}: engine.CodeInvalid, {Name: "a\x00"}: engine.CodeInvalid, {ID: "ann", Name: "Ann"}: engine.CodeConflict,
		{Name: "C", SpaceID: "none"}: engine.CodeNotFound, {Name: "C", Language: "xx"}: engine.CodeInvalid,
	} {
		_, err := s.CreateUser(t.Context(), "account", n)
		requireCode(t, code, err)
	}
	for _, err := range []error{
		second(s.CreateUser(t.Context(), "none", engine.NewUser{Name: "C"})), second(s.ListUsers(t.Context(), "none")),
		second(s.CallerOf(t.Context(), "none")), second(s.GetAccount(t.Context(), "none")), s.RemoveUser(t.Context(), "none"),
	} {
		requireCode(t, engine.CodeNotFound, err)
	}
	users, err = s.ListUsers(t.Context(), "account")
	require.NoError(t, err)
	require.Len(t, users, 3, "a refused user is not written")
}

func second[T any](_ T, err error) error { return err }

// A removed user has no access any more; its recordings stay. The only owner of a space can't be removed.
func TestRemoveUser(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	bob, err := s.CreateUser(t.Context(), "account", engine.NewUser{Name: "Bob", SpaceID: "space"})
	require.NoError(t, err)
	_, secret, err := s.CreateKey(t.Context(), bob, engine.NewKey{})
	require.NoError(t, err)
	r := s.record()
	require.NoError(t, s.RemoveUser(t.Context(), bob.UserID))
	requireCode(t, engine.CodeUnauthenticated, second(s.Authenticate(t.Context(), secret)))
	requireCode(t, engine.CodeNotFound, second(s.CallerOf(t.Context(), bob.UserID)))
	_, _, err = s.GetRecording(t.Context(), bob, r.ID)
	requireCode(t, engine.CodeNotFound, err)
	_, _, err = s.GetRecording(t.Context(), s.caller, r.ID)
	require.NoError(t, err)
	requireCode(t, engine.CodeConflict, s.RemoveUser(t.Context(), s.caller.UserID))
	_, err = s.CallerOf(t.Context(), s.caller.UserID)
	require.NoError(t, err)
}

// The tier of an account limits its keys, those that exist as well. Limits of storage count for new media.
func TestUpdateAccount(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	_, platform, err := s.CreateKey(t.Context(), s.caller, engine.NewKey{})
	require.NoError(t, err)
	_, core, err := s.CreateKey(t.Context(), s.caller, engine.NewKey{Tier: engine.TierCore})
	require.NoError(t, err)
	tiers := func() []engine.Tier {
		one, err := s.Authenticate(t.Context(), platform)
		require.NoError(t, err)
		two, err := s.Authenticate(t.Context(), core)
		require.NoError(t, err)
		return []engine.Tier{one.Tier, two.Tier}
	}
	require.Equal(t, []engine.Tier{engine.TierPlatform, engine.TierCore}, tiers())
	for tier, want := range map[engine.Tier][]engine.Tier{
		engine.TierAutomation: {engine.TierAutomation, engine.TierCore}, engine.TierNone: {engine.TierNone, engine.TierNone},
		engine.TierPlatform: {engine.TierPlatform, engine.TierCore},
	} {
		a, err := s.UpdateAccount(t.Context(), "account", func(a *engine.Account) error { a.Tier, a.StorageUsed = tier, 99; return nil })
		require.NoError(t, err)
		require.Zero(t, a.StorageUsed)
		require.Equal(t, want, tiers())
		c, err := s.CallerOf(t.Context(), "user")
		require.NoError(t, err)
		require.Equal(t, tier, c.Tier)
	}
	_, err = s.UpdateAccount(t.Context(), "account", func(a *engine.Account) error { a.StorageHardLimit = 4; return nil })
	require.NoError(t, err)
	_, err = s.CreateUpload(t.Context(), s.caller, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: 5})
	requireCode(t, engine.CodeStorageLimit, err)
	for _, change := range []func(*engine.Account){
		func(a *engine.Account) { a.Name = " " }, func(a *engine.Account) { a.Tier = "gold" }, func(a *engine.Account) { a.StorageSoftLimit = 0 },
		func(a *engine.Account) { a.StorageHardLimit = -1 }, func(a *engine.Account) { a.SpeechLimit = -1 },
	} {
		_, err := s.UpdateAccount(t.Context(), "account", func(a *engine.Account) error { change(a); return nil })
		requireCode(t, engine.CodeInvalid, err)
	}
	_, err = s.UpdateAccount(t.Context(), "account", func(*engine.Account) error { return errBroken })
	require.ErrorIs(t, err, errBroken)
}

// Owners change who belongs to a space; members only leave it. A space always has an owner.
func TestMembers(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	ctx := t.Context()
	bob, err := s.CreateUser(ctx, "account", engine.NewUser{ID: "bob", Name: "Bob"})
	require.NoError(t, err)
	cy, err := s.CreateAccount(ctx, engine.NewAccount{UserID: "cy", Name: "Cy"})
	require.NoError(t, err)
	roles := func() map[engine.UserID]engine.MemberRole {
		members, err := s.ListMembers(ctx, s.caller, "space")
		require.NoError(t, err)
		out := map[engine.UserID]engine.MemberRole{}
		for _, m := range members {
			out[m.User.ID] = m.Role
		}
		return out
	}
	requireCode(t, engine.CodeNotFound, second(s.ListMembers(ctx, bob, "space")))
	require.NoError(t, s.SetMember(ctx, s.caller, "space", "bob", engine.RoleMember))
	require.NoError(t, s.SetMember(ctx, s.caller, "space", "cy", engine.RoleMember))
	require.Equal(t, map[engine.UserID]engine.MemberRole{"user": "owner", "bob": "member", "cy": "member"}, roles())

	requireCode(t, engine.CodeForbidden, s.SetMember(ctx, bob, "space", "bob", engine.RoleOwner))
	requireCode(t, engine.CodeForbidden, s.RemoveMember(ctx, bob, "space", "cy"))
	requireCode(t, engine.CodeConflict, s.SetMember(ctx, s.caller, "space", "user", engine.RoleMember))
	requireCode(t, engine.CodeConflict, s.RemoveMember(ctx, s.caller, "space", "user"))
	requireCode(t, engine.CodeInvalid, s.SetMember(ctx, s.caller, "space", "bob", "boss"))
	requireCode(t, engine.CodeNotFound, s.SetMember(ctx, s.caller, "space", "nobody", engine.RoleMember))
	requireCode(t, engine.CodeNotFound, s.RemoveMember(ctx, s.caller, "space", "nobody"))

	require.NoError(t, s.SetMember(ctx, s.caller, "space", "bob", engine.RoleOwner))
	require.NoError(t, s.RemoveMember(ctx, bob, "space", "cy"))
	require.NoError(t, s.SetMember(ctx, bob, "space", "user", engine.RoleMember))
	require.Equal(t, map[engine.UserID]engine.MemberRole{"user": "member", "bob": "owner"}, roles())
	require.NoError(t, s.RemoveMember(ctx, s.caller, "space", "user"))
	requireCode(t, engine.CodeNotFound, second(s.ListMembers(ctx, s.caller, "space")))
	_ = cy
}

// Every member of a space from before there were owners is an owner, until one is set.
func TestEarlierSpaces(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	bob, err := s.CreateUser(t.Context(), "account", engine.NewUser{ID: "bob", Name: "Bob", SpaceID: "space"})
	require.NoError(t, err)
	require.NoError(t, s.store.Update(t.Context(), func(tx engine.Tx) error {
		space, err := tx.Space("space")
		require.NoError(t, err)
		require.Equal(t, []engine.UserID{"user"}, space.Owners)
		space.Owners = nil
		return tx.PutSpace(space)
	}))
	require.NoError(t, s.SetMember(t.Context(), bob, "space", "user", engine.RoleMember))
	members, err := s.ListMembers(t.Context(), bob, "space")
	require.NoError(t, err)
	require.Equal(t, []engine.MemberRole{engine.RoleOwner, engine.RoleMember}, []engine.MemberRole{members[0].Role, members[1].Role})
}

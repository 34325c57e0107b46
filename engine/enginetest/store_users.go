package enginetest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// userCases returns the claims about accounts, users, and members.
func userCases() []storeCase {
	return []storeCase{
		{"accounts are listed by id, after one", accountsInOrder},
		{"users are listed by account, oldest first, then by id", usersInOrder},
		{"a deleted user is missing; deleting it again is not an error", usersDeleted},
		{"a removed member doesn't belong to the space; removing it again is not an error", membersRemoved},
	}
}

func accountsInOrder(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutAccount, engine.Account{ID: "b"}, engine.Account{ID: "ä"}, engine.Account{ID: "a"}, engine.Account{ID: "aa"})
	list := func(after engine.AccountID, limit int) []string {
		found := read(t, s, func(tx engine.ReadTx) ([]engine.Account, error) { return tx.Accounts(after, limit) })
		return ids(found, func(a engine.Account) engine.AccountID { return a.ID })
	}
	require.Equal(t, []string{"a", "aa", "b", "ä"}, list("", 10))
	require.Equal(t, []string{"a", "aa"}, list("", 2))
	require.Equal(t, []string{"b", "ä"}, list("aa", 2))
	require.Equal(t, []string{"b"}, list("aaa", 1))
	require.Empty(t, list("ä", 10))
	require.Empty(t, list("", 0))
}

func usersInOrder(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutUser,
		engine.User{ID: "b", AccountID: "one", CreatedAt: at(1)}, engine.User{ID: "a", AccountID: "one", CreatedAt: at(1)},
		engine.User{ID: "c", AccountID: "one", CreatedAt: at(0)}, engine.User{ID: "d", AccountID: "two", CreatedAt: at(0)},
	)
	list := func(account engine.AccountID) []string {
		found := read(t, s, func(tx engine.ReadTx) ([]engine.User, error) { return tx.Users(account) })
		return ids(found, func(u engine.User) engine.UserID { return u.ID })
	}
	require.Equal(t, []string{"c", "a", "b"}, list("one"))
	require.Empty(t, list("three"))
	write(t, s, engine.Tx.PutUser, engine.User{ID: "a", AccountID: "two", CreatedAt: at(1)})
	require.Equal(t, []string{"c", "b"}, list("one"))
	require.Equal(t, []string{"d", "a"}, list("two"))
}

func usersDeleted(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutUser, engine.User{ID: "a", AccountID: "one"}, engine.User{ID: "b", AccountID: "one"})
	for range 2 {
		write(t, s, engine.Tx.DeleteUser, "a")
		_, err := tryRead(t, s, func(tx engine.ReadTx) (engine.User, error) { return tx.User("a") })
		requireCode(t, engine.CodeNotFound, err)
		require.Len(t, read(t, s, func(tx engine.ReadTx) ([]engine.User, error) { return tx.Users("one") }), 1)
	}
}

func membersRemoved(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutSpace, engine.Space{ID: "one"}, engine.Space{ID: "two"})
	update(t, s, func(tx engine.Tx) error {
		return errors.Join(tx.AddMember("one", "a"), tx.AddMember("one", "b"), tx.AddMember("two", "a"))
	})
	for range 2 {
		update(t, s, func(tx engine.Tx) error { return tx.RemoveMember("one", "a") })
		require.Equal(t, []engine.UserID{"b"}, read(t, s, func(tx engine.ReadTx) ([]engine.UserID, error) { return tx.Members("one") }))
		spaces := read(t, s, func(tx engine.ReadTx) ([]engine.Space, error) { return tx.SpacesOf("a") })
		require.Equal(t, []string{"two"}, ids(spaces, func(s engine.Space) engine.SpaceID { return s.ID }))
	}
}

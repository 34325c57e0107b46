package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var users = newTable(rows.Users)

var accounts = newTable(rows.Accounts)

var (
	accountsAfter  = "SELECT " + accounts.columns + " FROM accounts WHERE id > $1 ORDER BY id LIMIT $2"
	usersOfAccount = "SELECT " + users.columns + " FROM users WHERE account_id = $1 ORDER BY created_at, id"
)

func (t *readTx) Accounts(after engine.AccountID, limit int) ([]engine.Account, error) {
	return all(t, accounts, accountsAfter, string(after), int64(max(0, limit)))
}

func (t *readTx) Users(id engine.AccountID) ([]engine.User, error) {
	return all(t, users, usersOfAccount, string(id))
}

func (t *readTx) Account(id engine.AccountID) (engine.Account, error) {
	return one(t, accounts, accounts.get, string(id))
}

func (t *readTx) User(id engine.UserID) (engine.User, error) {
	return one(t, users, users.get, string(id))
}

func (t *tx) PutAccount(a engine.Account) error { return write(t, accounts, accounts.put, a) }

func (t *tx) PutUser(u engine.User) error { return write(t, users, users.put, u) }

func (t *tx) DeleteUser(id engine.UserID) error {
	return t.exec("DELETE FROM users WHERE id = $1", string(id))
}

package memory

import "github.com/soundstage-dev/soundstage/engine"

func (tx *readTx) Account(id engine.AccountID) (engine.Account, error) {
	return get(tx, tx.accounts, id)
}

func (tx *readTx) User(id engine.UserID) (engine.User, error) { return get(tx, tx.users, id) }

func (tx *writeTx) PutAccount(a engine.Account) error { return put(tx, tx.accounts, a.ID, a) }

func (tx *writeTx) PutUser(u engine.User) error { return put(tx, tx.users, u.ID, u) }

func cloneAccount(a engine.Account) engine.Account {
	a.CreatedAt, a.PeriodStart = utc(a.CreatedAt), utc(a.PeriodStart)
	return a
}

func cloneUser(u engine.User) engine.User {
	u.CreatedAt = utc(u.CreatedAt)
	return u
}

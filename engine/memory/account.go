package memory

import "github.com/soundstage-dev/soundstage/engine"

func (tx *readTx) Account(id engine.AccountID) (engine.Account, error) {
	return get(tx, tx.accounts, id)
}

// Accounts reads the accounts in the order of their ids.
func (tx *readTx) Accounts(after engine.AccountID, limit int) ([]engine.Account, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	page := []engine.Account{}
	tx.accounts.rows.in(tx.current).Ascend(item{name: string(after)}, func(i item) bool {
		if len(page) >= limit {
			return false
		}
		if row := i.row.(*engine.Account); row.ID > after {
			page = append(page, tx.accounts.copyOf(row))
		}
		return true
	})
	return page, nil
}

func (tx *readTx) Users(id engine.AccountID) ([]engine.User, error) {
	return list(tx, tx.users, tx.usersByAge, id)
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

func (tx *writeTx) DeleteUser(id engine.UserID) error { return remove(tx, tx.users, id) }

func userAccount(u *engine.User) engine.AccountID { return u.AccountID }
func byUserAge(a, b *engine.User) int             { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }

package sqlite

import "github.com/soundstage-dev/soundstage/engine"

var users = newTable("users", "user", func(c *columns, v *engine.User) {
	key(c, "id", &v.ID)
	text(c, "account_id", &v.AccountID)
	text(c, "name", &v.Name)
	timestamp(c, "created_at", &v.CreatedAt)
})

var accounts = newTable("accounts", "account", func(c *columns, v *engine.Account) {
	key(c, "id", &v.ID)
	text(c, "name", &v.Name)
	number(c, "storage_used", &v.StorageUsed)
	number(c, "storage_soft_limit", &v.StorageSoftLimit)
	number(c, "storage_hard_limit", &v.StorageHardLimit)
	duration(c, "speech_used", &v.SpeechUsed)
	duration(c, "speech_limit", &v.SpeechLimit)
	timestamp(c, "period_start", &v.PeriodStart)
	text(c, "tier", &v.Tier)
	timestamp(c, "created_at", &v.CreatedAt)
})

var (
	accountsAfter  = "SELECT " + accounts.columns + " FROM accounts WHERE id > ? ORDER BY id LIMIT ?"
	usersOfAccount = "SELECT " + users.columns + " FROM users WHERE account_id = ? ORDER BY created_at, id"
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
	return t.exec("DELETE FROM users WHERE id = ?", string(id))
}

package sqlite

import "github.com/soundstage-dev/soundstage/engine"

const (
	accountColumns = "id, name, storage_used, storage_soft_limit, storage_hard_limit, speech_used, speech_limit, period_start, created_at"
	userColumns    = "id, account_id, name, created_at"
)

var (
	putAccount = upsert("accounts", accountColumns)
	putUser    = upsert("users", userColumns)
)

func (t *readTx) Account(id engine.AccountID) (engine.Account, error) {
	return one(t, "account", scanAccount, "SELECT "+accountColumns+" FROM accounts WHERE id = ?", string(id))
}

func (t *readTx) User(id engine.UserID) (engine.User, error) {
	return one(t, "user", scanUser, "SELECT "+userColumns+" FROM users WHERE id = ?", string(id))
}

func (t *tx) PutAccount(a engine.Account) error {
	return t.exec(putAccount, string(a.ID), a.Name, a.StorageUsed, a.StorageSoftLimit, a.StorageHardLimit,
		durationMicros(a.SpeechUsed), durationMicros(a.SpeechLimit), micros(a.PeriodStart), micros(a.CreatedAt))
}

func (t *tx) PutUser(u engine.User) error {
	return t.exec(putUser, string(u.ID), string(u.AccountID), u.Name, micros(u.CreatedAt))
}

func scanAccount(r *row) engine.Account {
	return engine.Account{
		ID: engine.AccountID(r.text()), Name: r.text(),
		StorageUsed: r.int64(), StorageSoftLimit: r.int64(), StorageHardLimit: r.int64(),
		SpeechUsed: r.duration(), SpeechLimit: r.duration(), PeriodStart: r.time(), CreatedAt: r.time(),
	}
}

func scanUser(r *row) engine.User {
	return engine.User{ID: engine.UserID(r.text()), AccountID: engine.AccountID(r.text()), Name: r.text(), CreatedAt: r.time()}
}

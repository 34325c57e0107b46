package rows

import "github.com/soundstage-dev/soundstage/engine"

// Users is the table of users.
var Users = New("users", "user", func(c *Columns, v *engine.User) {
	key(c, "id", &v.ID)
	text(c, "account_id", &v.AccountID)
	text(c, "name", &v.Name)
	timestamp(c, "created_at", &v.CreatedAt)
})

// Accounts is the table of accounts.
var Accounts = New("accounts", "account", func(c *Columns, v *engine.Account) {
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

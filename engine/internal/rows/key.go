package rows

import "github.com/soundstage-dev/soundstage/engine"

// Keys is the table of keys.
var Keys = New("keys", "key", func(c *Columns, v *engine.Key) {
	key(c, "id", &v.ID)
	text(c, "user_id", &v.UserID)
	text(c, "default_space_id", &v.DefaultSpaceID)
	text(c, "tier", &v.Tier)
	text(c, "name", &v.Name)
	hash(c, "hash", &v.Hash)
	text(c, "last4", &v.Last4)
	timestamp(c, "created_at", &v.CreatedAt)
})

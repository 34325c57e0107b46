package sqlite

import "github.com/soundstage-dev/soundstage/engine"

var keys = newTable("keys", "key", func(c *columns, v *engine.Key) {
	key(c, "id", &v.ID)
	text(c, "user_id", &v.UserID)
	text(c, "default_space_id", &v.DefaultSpaceID)
	text(c, "tier", &v.Tier)
	text(c, "name", &v.Name)
	hash(c, "hash", &v.Hash)
	text(c, "last4", &v.Last4)
	timestamp(c, "created_at", &v.CreatedAt)
})

var (
	keyByHash  = "SELECT " + keys.columns + " FROM keys WHERE hash = ?"
	keysOfUser = "SELECT " + keys.columns + " FROM keys WHERE user_id = ? ORDER BY created_at, id"
)

func (t *readTx) KeyByHash(hash [32]byte) (engine.Key, error) {
	return one(t, keys, keyByHash, hash[:])
}

func (t *readTx) Keys(id engine.UserID) ([]engine.Key, error) {
	return all(t, keys, keysOfUser, string(id))
}

// PutKey fails with CodeConflict if another key has the same hash.
func (t *tx) PutKey(k engine.Key) error { return write(t, keys, keys.put, k) }

func (t *tx) DeleteKey(id engine.KeyID) error {
	return t.exec("DELETE FROM keys WHERE id = ?", string(id))
}

package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var keys = newTable(rows.Keys)

var (
	keyByHash  = "SELECT " + keys.columns + " FROM keys WHERE hash = $1"
	keysOfUser = "SELECT " + keys.columns + " FROM keys WHERE user_id = $1 ORDER BY created_at, id"
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
	return t.exec("DELETE FROM keys WHERE id = $1", string(id))
}

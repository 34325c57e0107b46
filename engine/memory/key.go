package memory

import (
	"github.com/soundstage-dev/soundstage/engine"
)

func (tx *readTx) KeyByHash(hash [32]byte) (engine.Key, error) {
	return first(tx, tx.keys, tx.keysByHash, hash)
}

func (tx *readTx) Keys(id engine.UserID) ([]engine.Key, error) {
	return list(tx, tx.keys, tx.keysByUser, id)
}

// PutKey fails with CodeConflict if another key has the same hash.
func (tx *writeTx) PutKey(k engine.Key) error {
	if old, err := tx.KeyByHash(k.Hash); err == nil && old.ID != k.ID {
		return engine.Errorf(engine.CodeConflict, "", "Another key has the same secret.")
	}
	return put(tx, tx.keys, k.ID, k)
}

func (tx *writeTx) DeleteKey(id engine.KeyID) error { return remove(tx, tx.keys, id) }

func hashName(hash [32]byte) string { return string(hash[:]) }

func keyHash(k *engine.Key) [32]byte      { return k.Hash }
func keyUser(k *engine.Key) engine.UserID { return k.UserID }
func byKeyAge(a, b *engine.Key) int       { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }

func cloneKey(k engine.Key) engine.Key {
	k.CreatedAt = utc(k.CreatedAt)
	return k
}

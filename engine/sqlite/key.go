package sqlite

import "github.com/soundstage-dev/soundstage/engine"

const keyColumns = "id, user_id, default_space_id, tier, name, hash, last4, created_at"

var putKey = upsert("keys", keyColumns)

func (t *readTx) KeyByHash(hash [32]byte) (engine.Key, error) {
	return one(t, "key", scanKey, "SELECT "+keyColumns+" FROM keys WHERE hash = ?", hash[:])
}

func (t *readTx) Keys(id engine.UserID) ([]engine.Key, error) {
	return all(t, scanKey, "SELECT "+keyColumns+" FROM keys WHERE user_id = ? ORDER BY created_at, id", string(id))
}

// PutKey fails with CodeConflict when another key has the same hash.
func (t *tx) PutKey(k engine.Key) error {
	return t.exec(putKey, string(k.ID), string(k.UserID), string(k.DefaultSpaceID), string(k.Tier), k.Name, k.Hash[:], k.Last4, micros(k.CreatedAt))
}

func (t *tx) DeleteKey(id engine.KeyID) error {
	return t.exec("DELETE FROM keys WHERE id = ?", string(id))
}

func scanKey(r *row) engine.Key {
	return engine.Key{
		ID: engine.KeyID(r.text()), UserID: engine.UserID(r.text()), DefaultSpaceID: engine.SpaceID(r.text()),
		Tier: engine.Tier(r.text()), Name: r.text(), Hash: r.hash(), Last4: r.text(), CreatedAt: r.time(),
	}
}

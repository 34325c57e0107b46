package postgres

import (
	"context"

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

var keyOwner = "SELECT " + keys.qualified("k") + ", " + users.qualified("u") + ", " + accounts.qualified("a") +
	" FROM keys AS k JOIN users AS u ON u.id = k.user_id JOIN accounts AS a ON a.id = u.account_id WHERE k.hash = $1"

// KeyOwner implements engine.JoiningStore.
func (s *Store) KeyOwner(ctx context.Context, hash [32]byte) (key engine.Key, user engine.User, account engine.Account, err error) {
	err = s.readOne(ctx, func(r *rows.Row) {
		keys.rows.Scan(r, &key)
		users.rows.Scan(r, &user)
		accounts.rows.Scan(r, &account)
	}, keys.rows.Noun, keyOwner, hash[:])
	return key, user, account, err
}

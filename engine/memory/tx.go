package memory

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// readTx is a read-only transaction.
type readTx struct {
	*tables
	current snapshot
	ended   atomic.Bool // set when the transaction ends, because its rows may be outdated from then on
}

// writeTx is a read-write transaction. It writes to its own trees, which become visible on commit.
type writeTx struct {
	readTx
	base snapshot // snapshot at the start
}

var (
	_ engine.ReadTx = (*readTx)(nil)
	_ engine.Tx     = (*writeTx)(nil)
)

func newWriteTx(base snapshot) *writeTx {
	return &writeTx{readTx: readTx{tables: schema, current: slices.Clone(base)}, base: base}
}

// checkOpen returns an error if the transaction has ended.
func (tx *readTx) checkOpen() error {
	if tx.ended.Load() {
		return &engine.Error{Code: engine.CodeInternal, Err: errEnded}
	}
	return nil
}

// get returns a copy of a row, or CodeNotFound.
func get[K, V any](tx *readTx, t *table[K, V], id K) (row V, err error) {
	if err := tx.checkOpen(); err != nil {
		return row, err
	}
	found := t.find(tx, id)
	if found == nil {
		return row, engine.NotFound("", t.noun)
	}
	return t.copyOf(found), nil
}

// first returns a copy of the first row of a group, or CodeNotFound.
func first[G, K, V any](tx *readTx, t *table[K, V], x *sorted[G, V], g G) (row V, err error) {
	if err := tx.checkOpen(); err != nil {
		return row, err
	}
	found := x.first(tx, g)
	if found == nil {
		return row, engine.NotFound("", t.noun)
	}
	return t.copyOf(found), nil
}

// list returns copies of the rows of a group, in order.
func list[G, K, V any](tx *readTx, t *table[K, V], x *sorted[G, V], g G) ([]V, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	found := x.rows(tx, g)
	rows := make([]V, len(found))
	for i, row := range found {
		rows[i] = t.copyOf(row)
	}
	return rows, nil
}

// put stores a copy of a row.
func put[K, V any](tx *writeTx, t *table[K, V], id K, row V) error {
	if err := tx.checkOpen(); err != nil {
		return err
	}
	row = t.clone(row)
	t.set(tx, id, &row)
	return nil
}

// remove deletes a row, if it exists.
func remove[K, V any](tx *writeTx, t *table[K, V], id K) error {
	if err := tx.checkOpen(); err != nil {
		return err
	}
	t.unset(tx, id)
	return nil
}

// removeGroup deletes the rows of a group.
func removeGroup[G, K, V any](tx *writeTx, t *table[K, V], x *sorted[G, V], g G, id func(*V) K) error {
	if err := tx.checkOpen(); err != nil {
		return err
	}
	for _, row := range x.rows(&tx.readTx, g) {
		t.unset(tx, id(row))
	}
	return nil
}

// utc returns a time in the precision of every store: UTC, whole microseconds, no monotonic reading.
func utc(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// clonePointer returns a pointer to a copy of *p; nil for nil.
func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

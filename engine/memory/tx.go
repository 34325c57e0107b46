package memory

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// readTx is a transaction that only reads; it has no method that writes.
type readTx struct {
	*tables
	now  snapshot
	over atomic.Bool // set at its end: what it could still read may be old by then
}

// writeTx is a transaction that reads and writes. It writes to trees of its own, which nobody sees before it is committed.
type writeTx struct {
	readTx
	base snapshot // what it began with
}

var (
	_ engine.ReadTx = (*readTx)(nil)
	_ engine.Tx     = (*writeTx)(nil)
)

func newWriteTx(base snapshot) *writeTx {
	return &writeTx{readTx: readTx{tables: schema, now: slices.Clone(base)}, base: base}
}

// alive fails when the transaction is over.
func (tx *readTx) alive() error {
	if tx.over.Load() {
		return &engine.Error{Code: engine.CodeInternal, Err: errOver}
	}
	return nil
}

// get returns the caller's own copy of a row.
func get[K, V any](tx *readTx, t *table[K, V], id K) (row V, err error) {
	if err := tx.alive(); err != nil {
		return row, err
	}
	found := t.find(tx, id)
	if found == nil {
		return row, engine.NotFound("", t.noun)
	}
	return t.own(found), nil
}

// first returns the caller's own copy of the first row of a group.
func first[G, K, V any](tx *readTx, t *table[K, V], x *sorted[G, V], g G) (row V, err error) {
	if err := tx.alive(); err != nil {
		return row, err
	}
	found := x.first(tx, g)
	if found == nil {
		return row, engine.NotFound("", t.noun)
	}
	return t.own(found), nil
}

// list returns the caller's own copies of the rows of a group, in order.
func list[G, K, V any](tx *readTx, t *table[K, V], x *sorted[G, V], g G) ([]V, error) {
	if err := tx.alive(); err != nil {
		return nil, err
	}
	found := x.rows(tx, g)
	rows := make([]V, len(found))
	for i, row := range found {
		rows[i] = t.own(row)
	}
	return rows, nil
}

// put stores a copy of a row.
func put[K, V any](tx *writeTx, t *table[K, V], id K, row V) error {
	if err := tx.alive(); err != nil {
		return err
	}
	row = t.clone(row)
	t.set(tx, id, &row)
	return nil
}

// remove takes a row away, if it is there.
func remove[K, V any](tx *writeTx, t *table[K, V], id K) error {
	if err := tx.alive(); err != nil {
		return err
	}
	t.unset(tx, id)
	return nil
}

// utc makes a time what every store keeps: UTC, whole microseconds, no monotonic reading.
func utc(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// copied returns a pointer to a copy of what p points to.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

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
	over atomic.Bool // set at its end: by then the store's lock is somebody else's
}

// writeTx is a transaction that reads and writes. Its writes go to the tables at once; undo takes them back, last first.
type writeTx struct {
	readTx
	undo []func()
}

var (
	_ engine.ReadTx = (*readTx)(nil)
	_ engine.Tx     = (*writeTx)(nil)
)

func (tx *writeTx) rollback() {
	for _, undo := range slices.Backward(tx.undo) {
		undo()
	}
}

// alive fails when the transaction is over.
func (tx *readTx) alive() error {
	if tx.over.Load() {
		return &engine.Error{Code: engine.CodeInternal, Err: errOver}
	}
	return nil
}

// get returns the caller's own copy of a row.
func get[K comparable, V any](tx *readTx, t *table[K, V], id K) (row V, err error) {
	if err := tx.alive(); err != nil {
		return row, err
	}
	found, ok := t.rows[id]
	if !ok {
		return row, engine.NotFound("", t.noun)
	}
	return t.clone(*found), nil
}

// list returns the caller's own copies of the rows of a group, in order.
func list[G, K comparable, V any](tx *readTx, t *table[K, V], x *sorted[G, V], g G) ([]V, error) {
	if err := tx.alive(); err != nil {
		return nil, err
	}
	rows := make([]V, len(x.groups[g]))
	for i, row := range x.groups[g] {
		rows[i] = t.clone(*row)
	}
	return rows, nil
}

// put stores a copy of a row.
func put[K comparable, V any](tx *writeTx, t *table[K, V], id K, row V) error {
	if err := tx.alive(); err != nil {
		return err
	}
	row = t.clone(row)
	old := t.set(id, &row)
	tx.undo = append(tx.undo, func() { t.set(id, old) })
	return nil
}

// remove takes a row away, if it is there.
func remove[K comparable, V any](tx *writeTx, t *table[K, V], id K) error {
	if err := tx.alive(); err != nil {
		return err
	}
	if old := t.set(id, nil); old != nil {
		tx.undo = append(tx.undo, func() { t.set(id, old) })
	}
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

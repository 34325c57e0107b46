package memory

import (
	"reflect"
	"time"
)

// table keeps the rows of one noun by id, and tells its indexes of each change. A row is never changed once it is in the
// table, only replaced, so that snapshots and indexes share it.
type table[K, V any] struct {
	noun    string // as a user knows it
	clone   func(V) V
	deep    bool // a plain copy of a row would share memory with it
	rows    slot[row[K, V]]
	indexes []index[V]
}

// row is a row under its id.
type row[K, V any] struct {
	id    K
	value *V
}

// index follows the rows of a table: old is nil for a new row, now for a removed one.
type index[V any] interface {
	replace(tx *writeTx, old, now *V)
}

// newTable returns a table. clone copies whatever a row points to, and makes its times what every store keeps.
func newTable[K, V any](places *int, noun string, less func(a, b K) bool, clone func(V) V, indexes ...index[V]) *table[K, V] {
	return &table[K, V]{
		noun: noun, clone: clone, deep: pointsAway(reflect.TypeFor[V]()), indexes: indexes,
		rows: newSlot(places, func(a, b row[K, V]) bool { return less(a.id, b.id) }),
	}
}

// lower orders ids.
func lower[K ~string](a, b K) bool { return a < b }

// find returns a row, or nil. It is not to be changed.
func (t *table[K, V]) find(tx *readTx, id K) *V {
	found, _ := t.rows.in(tx.now).Get(row[K, V]{id: id})
	return found.value
}

// own returns a copy of a row that may be changed. The times of the row are what every store keeps already.
func (t *table[K, V]) own(v *V) V {
	if t.deep {
		return t.clone(*v)
	}
	return *v
}

// set puts the row.
func (t *table[K, V]) set(tx *writeTx, id K, value *V) {
	old, _ := t.rows.own(tx).Set(row[K, V]{id, value})
	t.tell(tx, old.value, value)
}

// unset removes the row, if it is there.
func (t *table[K, V]) unset(tx *writeTx, id K) {
	if t.find(&tx.readTx, id) == nil {
		return
	}
	old, _ := t.rows.own(tx).Delete(row[K, V]{id: id})
	t.tell(tx, old.value, nil)
}

func (t *table[K, V]) tell(tx *writeTx, old, now *V) {
	for _, x := range t.indexes {
		x.replace(tx, old, now)
	}
}

// pointsAway reports whether copies of a value share something that can be changed. Strings can't be, nor what a time points to.
func pointsAway(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return pointsAway(t.Elem())
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return false
		}
		for i := range t.NumField() {
			if pointsAway(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

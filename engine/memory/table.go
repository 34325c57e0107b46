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
	name    func(K) string
	rows    slot[item]
	indexes []index[V]
}

// index follows the rows of a table: old is nil for a new row, now for a removed one.
type index[V any] interface {
	replace(tx *writeTx, old, now *V)
}

// newTable returns a table. clone copies whatever a row points to, and makes its times what every store keeps.
func newTable[K, V any](places *int, noun string, name func(K) string, clone func(V) V, indexes ...index[V]) *table[K, V] {
	return &table[K, V]{
		noun: noun, clone: clone, deep: pointsAway(reflect.TypeFor[V]()), name: name, indexes: indexes,
		rows: newSlot(places, func(a, b item) bool { return a.name < b.name }),
	}
}

// find returns a row, or nil. It is not to be changed.
func (t *table[K, V]) find(tx *readTx, id K) *V {
	found, _ := t.rows.in(tx.now).Get(item{name: t.name(id)})
	row, _ := found.row.(*V)
	return row
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
	replaced, _ := t.rows.own(tx).Set(item{t.name(id), value})
	old, _ := replaced.row.(*V)
	t.tell(tx, old, value)
}

// unset removes the row, if it is there.
func (t *table[K, V]) unset(tx *writeTx, id K) {
	old := t.find(&tx.readTx, id)
	if old == nil {
		return
	}
	t.rows.own(tx).Delete(item{name: t.name(id)})
	t.tell(tx, old, nil)
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

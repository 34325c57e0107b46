package memory

import (
	"reflect"
	"time"
)

// table keeps the rows of one noun by id and updates its indexes. A row is never modified in the table, only replaced, so
// snapshots and indexes share it.
type table[K, V any] struct {
	noun    string // name for messages
	clone   func(V) V
	deep    bool // an assigned copy of a row would share memory with it
	name    func(K) string
	rows    slot[item]
	indexes []index[V]
}

// index is updated with each change of a table: old is nil for a new row, now is nil for a removed one.
type index[V any] interface {
	replace(tx *writeTx, old, now *V)
}

// newTable returns a table. clone copies everything that a row points to and normalises its times with utc.
func newTable[K, V any](places *int, noun string, name func(K) string, clone func(V) V, indexes ...index[V]) *table[K, V] {
	return &table[K, V]{
		noun: noun, clone: clone, deep: sharesMemory(reflect.TypeFor[V]()), name: name, indexes: indexes,
		rows: newSlot(places, func(a, b item) bool { return a.name < b.name }),
	}
}

// find returns a row, or nil. Callers must not modify it.
func (t *table[K, V]) find(tx *readTx, id K) *V {
	found, _ := t.rows.in(tx.current).Get(item{name: t.name(id)})
	row, _ := found.row.(*V)
	return row
}

// each calls fn for every row, sorted by name. Callers must not modify rows.
func (t *table[K, V]) each(tx *readTx, fn func(*V)) {
	t.rows.in(tx.current).Scan(func(i item) bool {
		if row, ok := i.row.(*V); ok {
			fn(row)
		}
		return true
	})
}

// copyOf returns a copy of a row that the caller may modify.
func (t *table[K, V]) copyOf(v *V) V {
	if t.deep {
		return t.clone(*v)
	}
	return *v
}

// set inserts or replaces a row.
func (t *table[K, V]) set(tx *writeTx, id K, value *V) {
	replaced, _ := t.rows.writable(tx).Set(item{t.name(id), value})
	old, _ := replaced.row.(*V)
	t.updateIndexes(tx, old, value)
}

// unset removes a row, if it exists.
func (t *table[K, V]) unset(tx *writeTx, id K) {
	old := t.find(&tx.readTx, id)
	if old == nil {
		return
	}
	t.rows.writable(tx).Delete(item{name: t.name(id)})
	t.updateIndexes(tx, old, nil)
}

func (t *table[K, V]) updateIndexes(tx *writeTx, old, now *V) {
	for _, x := range t.indexes {
		x.replace(tx, old, now)
	}
}

// sharesMemory reports whether copies of a value share mutable memory. Strings and times don't.
func sharesMemory(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return sharesMemory(t.Elem())
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return false
		}
		for i := range t.NumField() {
			if sharesMemory(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

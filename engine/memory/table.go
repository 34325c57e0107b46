package memory

// table keeps the rows of one noun by id, and tells its indexes of each change. A row is never changed once it is in the
// table, only replaced, so indexes and undo logs hold pointers to it.
type table[K comparable, V any] struct {
	noun    string // as a user knows it
	clone   func(V) V
	rows    map[K]*V
	indexes []index[V]
}

// index follows the rows of a table: old is nil for a new row, now for a removed one.
type index[V any] interface {
	replace(old, now *V)
}

// newTable returns an empty table. clone copies whatever a row points to, and makes its times what every store keeps.
func newTable[K comparable, V any](noun string, clone func(V) V, indexes ...index[V]) *table[K, V] {
	return &table[K, V]{noun: noun, clone: clone, rows: map[K]*V{}, indexes: indexes}
}

// set puts the row, or removes it when it is nil, and returns the one before.
func (t *table[K, V]) set(id K, row *V) (old *V) {
	old = t.rows[id]
	if row == nil {
		delete(t.rows, id)
	} else {
		t.rows[id] = row
	}
	for _, x := range t.indexes {
		x.replace(old, row)
	}
	return old
}

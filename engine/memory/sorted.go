package memory

import "iter"

// sorted is an index of rows by group, with each group in order.
type sorted[G, V any] struct {
	group   func(*V) (g G, ok bool) // ok is false for a row that is not in the index
	compare func(a, b *V) int       // 0 only for two versions of one row
	name    func(G) string          // groups are sorted by name
	entries slot[item]
	end     *V // sorts after all rows of its group; nil sorts before them
}

func newSorted[G, V any](places *int, name func(G) string, group func(*V) (G, bool), compare func(a, b *V) int) *sorted[G, V] {
	x := &sorted[G, V]{group: group, compare: compare, name: name, end: new(V)}
	x.entries = newSlot(places, x.less)
	return x
}

func (x *sorted[G, V]) less(a, b item) bool {
	if a.name != b.name {
		return a.name < b.name
	}
	left, _ := a.row.(*V)
	right, _ := b.row.(*V)
	switch {
	case left == right, left == x.end, right == nil:
		return false
	case right == x.end, left == nil:
		return true
	}
	return x.compare(left, right) < 0
}

// allRows returns a group function for an index that contains every row.
func allRows[G, V any](field func(*V) G) func(*V) (G, bool) {
	return func(v *V) (G, bool) { return field(v), true }
}

// oneGroup is the name function of an index with one group.
func oneGroup(struct{}) string { return "" }

func (x *sorted[G, V]) replace(tx *writeTx, old, now *V) {
	from, was := x.item(old)
	to, is := x.item(now)
	if was && (!is || x.less(from, to) || x.less(to, from)) {
		x.entries.writable(tx).Delete(from)
	}
	if is {
		x.entries.writable(tx).Set(to)
	}
}

// item returns the index entry of a row; ok is false if row is nil or not in the index.
func (x *sorted[G, V]) item(row *V) (i item, ok bool) {
	if row == nil {
		return i, false
	}
	g, ok := x.group(row)
	if !ok {
		return i, false
	}
	return item{x.name(g), row}, true
}

// ascend yields the rows of a group in order.
func (x *sorted[G, V]) ascend(tx *readTx, g G) iter.Seq[*V] {
	name := x.name(g)
	return func(yield func(*V) bool) {
		x.entries.in(tx.current).Ascend(item{name: name}, func(e item) bool {
			return e.name == name && yield(e.row.(*V))
		})
	}
}

// descend yields the rows of a group that sort below before, in descending order; nil starts at the end of the group. before
// need not exist.
func (x *sorted[G, V]) descend(tx *readTx, g G, before *V) iter.Seq[*V] {
	if before == nil {
		before = x.end
	}
	name := x.name(g)
	return func(yield func(*V) bool) {
		x.entries.in(tx.current).Descend(item{name, before}, func(e item) bool {
			row := e.row.(*V)
			if before != x.end && e.name == name && x.compare(row, before) == 0 {
				return true
			}
			return e.name == name && yield(row)
		})
	}
}

// first returns the first row of a group, or nil.
func (x *sorted[G, V]) first(tx *readTx, g G) (row *V) {
	name := x.name(g)
	x.entries.in(tx.current).Ascend(item{name: name}, func(e item) bool {
		if e.name == name {
			row = e.row.(*V)
		}
		return false
	})
	return row
}

// firsts yields the first row of each group, starting with group g or the next existing one.
func (x *sorted[G, V]) firsts(tx *readTx, g G) iter.Seq2[G, *V] {
	return func(yield func(G, *V) bool) {
		pivot := item{name: x.name(g)}
		for {
			var found item
			x.entries.in(tx.current).Ascend(pivot, func(e item) bool {
				found = e
				return false
			})
			row, ok := found.row.(*V)
			if !ok {
				return
			}
			if g, _ := x.group(row); !yield(g, row) {
				return
			}
			pivot = item{found.name, x.end}
		}
	}
}

// count returns the number of rows of a group.
func (x *sorted[G, V]) count(tx *readTx, g G) (n int) {
	for range x.ascend(tx, g) {
		n++
	}
	return n
}

// rows returns the rows of a group, in order. Callers must not modify them.
func (x *sorted[G, V]) rows(tx *readTx, g G) (all []*V) {
	for row := range x.ascend(tx, g) {
		all = append(all, row)
	}
	return all
}

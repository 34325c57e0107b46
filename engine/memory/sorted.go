package memory

import "iter"

// sorted is an index: some rows of a table in groups, each group in order.
type sorted[G, V any] struct {
	group   func(*V) (g G, ok bool) // ok is false for a row that the index leaves out
	compare func(a, b *V) int       // 0 only for two versions of one row
	name    func(G) string          // groups are in order of their names
	entries slot[item]
	end     *V // stands behind the last row of each group, as nil stands before the first
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

// everything makes a group function of a field that each row has.
func everything[G, V any](field func(*V) G) func(*V) (G, bool) {
	return func(v *V) (G, bool) { return field(v), true }
}

// single is for an index that is one group.
func single(struct{}) string { return "" }

func (x *sorted[G, V]) replace(tx *writeTx, old, now *V) {
	from, was := x.item(old)
	to, is := x.item(now)
	if was && (!is || x.less(from, to) || x.less(to, from)) {
		x.entries.own(tx).Delete(from)
	}
	if is {
		x.entries.own(tx).Set(to)
	}
}

// item is a row in its group; ok is false for one that isn't there, or that the index leaves out.
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

// ascend yields the rows of a group, the first one first.
func (x *sorted[G, V]) ascend(tx *readTx, g G) iter.Seq[*V] {
	name := x.name(g)
	return func(yield func(*V) bool) {
		x.entries.in(tx.now).Ascend(item{name: name}, func(e item) bool {
			return e.name == name && yield(e.row.(*V))
		})
	}
}

// descend yields the rows of a group that are before a row, which need not exist; nil is the end of the group.
func (x *sorted[G, V]) descend(tx *readTx, g G, before *V) iter.Seq[*V] {
	if before == nil {
		before = x.end
	}
	name := x.name(g)
	return func(yield func(*V) bool) {
		x.entries.in(tx.now).Descend(item{name, before}, func(e item) bool {
			row := e.row.(*V)
			if before != x.end && e.name == name && x.compare(row, before) == 0 {
				return true
			}
			return e.name == name && yield(row)
		})
	}
}

// first returns the first row of a group, or nil.
func (x *sorted[G, V]) first(tx *readTx, g G) *V {
	for row := range x.ascend(tx, g) {
		return row
	}
	return nil
}

// firsts yields the first row of each group, beginning with group g, whether it exists or not.
func (x *sorted[G, V]) firsts(tx *readTx, g G) iter.Seq2[G, *V] {
	return func(yield func(G, *V) bool) {
		pivot := item{name: x.name(g)}
		for {
			var found item
			x.entries.in(tx.now).Ascend(pivot, func(e item) bool {
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

// count returns how many rows a group has.
func (x *sorted[G, V]) count(tx *readTx, g G) (n int) {
	for range x.ascend(tx, g) {
		n++
	}
	return n
}

// rows returns the rows of a group, in order. They are not to be changed.
func (x *sorted[G, V]) rows(tx *readTx, g G) (all []*V) {
	for row := range x.ascend(tx, g) {
		all = append(all, row)
	}
	return all
}

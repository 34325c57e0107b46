package memory

import (
	"iter"
	"strings"
)

// sorted is an index: some rows of a table in groups, each group in order.
type sorted[G, V any] struct {
	group   func(*V) (g G, ok bool) // ok is false for a row that the index leaves out
	compare func(a, b *V) int       // 0 only for two versions of one row
	groups  func(a, b G) int
	entries slot[entry[G, V]]
	end     *V // stands behind the last row of each group, as nil stands before the first
}

// entry is a row in its group.
type entry[G, V any] struct {
	group G
	row   *V
}

func newSorted[G, V any](places *int, groups func(a, b G) int, group func(*V) (G, bool), compare func(a, b *V) int) *sorted[G, V] {
	x := &sorted[G, V]{group: group, compare: compare, groups: groups, end: new(V)}
	x.entries = newSlot(places, x.less)
	return x
}

func (x *sorted[G, V]) less(a, b entry[G, V]) bool {
	if c := x.groups(a.group, b.group); c != 0 {
		return c < 0
	}
	switch {
	case a.row == b.row, a.row == x.end, b.row == nil:
		return false
	case b.row == x.end, a.row == nil:
		return true
	}
	return x.compare(a.row, b.row) < 0
}

// everything makes a group function of a field that each row has.
func everything[G, V any](field func(*V) G) func(*V) (G, bool) {
	return func(v *V) (G, bool) { return field(v), true }
}

// alphabetic orders groups that are named by a string.
func alphabetic[G ~string](a, b G) int { return strings.Compare(string(a), string(b)) }

// single is for an index that is one group.
func single(_, _ struct{}) int { return 0 }

func (x *sorted[G, V]) replace(tx *writeTx, old, now *V) {
	var from, to entry[G, V]
	var was, is bool
	if old != nil {
		from.row = old
		from.group, was = x.group(old)
	}
	if now != nil {
		to.row = now
		to.group, is = x.group(now)
	}
	if was && (!is || x.less(from, to) || x.less(to, from)) {
		x.entries.own(tx).Delete(from)
	}
	if is {
		x.entries.own(tx).Set(to)
	}
}

// ascend yields the rows of a group, the first one first.
func (x *sorted[G, V]) ascend(tx *readTx, g G) iter.Seq[*V] {
	return func(yield func(*V) bool) {
		x.entries.in(tx.now).Ascend(entry[G, V]{group: g}, func(e entry[G, V]) bool {
			return x.groups(e.group, g) == 0 && yield(e.row)
		})
	}
}

// descend yields the rows of a group that are before a row, which need not exist; nil is the end of the group.
func (x *sorted[G, V]) descend(tx *readTx, g G, before *V) iter.Seq[*V] {
	if before == nil {
		before = x.end
	}
	return func(yield func(*V) bool) {
		x.entries.in(tx.now).Descend(entry[G, V]{g, before}, func(e entry[G, V]) bool {
			if before != x.end && x.groups(e.group, g) == 0 && x.compare(e.row, before) == 0 {
				return true
			}
			return x.groups(e.group, g) == 0 && yield(e.row)
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
		pivot := entry[G, V]{group: g}
		for {
			var found entry[G, V]
			x.entries.in(tx.now).Ascend(pivot, func(e entry[G, V]) bool {
				found = e
				return false
			})
			if found.row == nil || !yield(found.group, found.row) {
				return
			}
			pivot = entry[G, V]{found.group, x.end}
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

package memory

import "slices"

// sorted is an index: some rows of a table in groups, each group in order. A group that has no rows isn't there.
type sorted[G comparable, V any] struct {
	group   func(*V) (g G, ok bool) // ok is false for a row that the index leaves out
	compare func(a, b *V) int       // 0 only for two versions of one row
	groups  map[G][]*V
}

func newSorted[G comparable, V any](group func(*V) (G, bool), compare func(a, b *V) int) *sorted[G, V] {
	return &sorted[G, V]{group: group, compare: compare, groups: map[G][]*V{}}
}

// everything makes a group function of a field that each row has.
func everything[G comparable, V any](field func(*V) G) func(*V) (G, bool) {
	return func(v *V) (G, bool) { return field(v), true }
}

func (x *sorted[G, V]) replace(old, now *V) {
	var from, to G
	var was, is bool
	if old != nil {
		from, was = x.group(old)
	}
	if now != nil {
		to, is = x.group(now)
	}
	switch {
	case was && is && from == to && x.compare(old, now) == 0:
		i, _ := slices.BinarySearchFunc(x.groups[to], old, x.compare)
		x.groups[to][i] = now
		return
	case was:
		x.remove(from, old)
	}
	if is {
		i, _ := slices.BinarySearchFunc(x.groups[to], now, x.compare)
		x.groups[to] = slices.Insert(x.groups[to], i, now)
	}
}

func (x *sorted[G, V]) remove(g G, row *V) {
	i, _ := slices.BinarySearchFunc(x.groups[g], row, x.compare)
	x.groups[g] = slices.Delete(x.groups[g], i, i+1)
	if len(x.groups[g]) == 0 {
		delete(x.groups, g)
	}
}

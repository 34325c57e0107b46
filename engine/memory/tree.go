package memory

import (
	"strings"
	"sync"

	"github.com/tidwall/btree"
)

// degree of the trees: a node has at most 2·16−1 items. A change copies the nodes on its way, so they must be small: an Update of one
// row among 100,000 copies 9 KB, with the library's default of 32 it would be 14 KB; reading is as fast.
const degree = 16

// snapshot is one version of every tree of a store. It never changes once a Store has it; a writer makes the next one. A tree
// that nothing was ever put into is nil.
type snapshot []any

// item is a row under its name, in a table, or under the name of its group, in an index. All trees but that of terms hold this one type:
// the library's code is compiled anew for each type that a tree is made of, which for forty trees made 6 MB of the program.
type item struct {
	name string
	row  any // a pointer to the row; nil stands before all rows of its name
}

// pair is the name of two texts. Names are in the order of their texts, and no two pairs have the same.
func pair[A, B ~string](a A, b B) string {
	return strings.ReplaceAll(string(a), "\x00", "\x00\xff") + "\x00\x01" + string(b)
}

// same is the name of a text.
func same[A ~string](a A) string { return string(a) }

// tree is one version of a tree. Any number of goroutines may read it, and any number of writers may begin their own version
// of it, at the same time.
type tree[T any] struct {
	forking sync.Mutex // btree's Copy marks the tree that it copies, too: two forks of a store may do so at once
	items   *btree.BTreeG[T]
}

// fork returns a version that its writer alone may change. It shares all nodes until they change.
func (t *tree[T]) fork() *tree[T] {
	t.forking.Lock()
	defer t.forking.Unlock()
	return &tree[T]{items: t.items.Copy()}
}

// slot is the place of a tree in every snapshot.
type slot[T any] struct {
	number int
	empty  *btree.BTreeG[T] // what is read where the tree is nil; nothing is ever put into it
	less   func(a, b T) bool
}

// newSlot takes the next place.
func newSlot[T any](places *int, less func(a, b T) bool) slot[T] {
	s := slot[T]{number: *places, less: less}
	s.empty = s.blank()
	*places++
	return s
}

// blank has no locks: published trees are only read, and a writer has its own.
func (s *slot[T]) blank() *btree.BTreeG[T] {
	return btree.NewBTreeGOptions(s.less, btree.Options{Degree: degree, NoLocks: true})
}

// in returns the tree of a snapshot, to be read.
func (s *slot[T]) in(now snapshot) *btree.BTreeG[T] {
	if t, ok := now[s.number].(*tree[T]); ok {
		return t.items
	}
	return s.empty
}

// own returns the transaction's own version of the tree, which is made when it is first asked for.
func (s *slot[T]) own(tx *writeTx) *btree.BTreeG[T] {
	t, ok := tx.now[s.number].(*tree[T])
	switch {
	case !ok:
		t = &tree[T]{items: s.blank()}
	case tx.now[s.number] == tx.base[s.number]:
		t = t.fork()
	default:
		return t.items
	}
	tx.now[s.number] = t
	return t.items
}

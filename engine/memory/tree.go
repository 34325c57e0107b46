package memory

import (
	"strings"
	"sync"

	"github.com/tidwall/btree"
)

// degree is the degree of the trees: a node has at most 2·16−1 items. A change copies the nodes on its path, so they must be
// small. An Update of one row among 100,000 copies 9 KB; with the library's default of 32 it would copy 14 KB. Reading is
// equally fast.
const degree = 16

// snapshot is one version of every tree of a store. It never changes once it is committed. A tree without any rows so far is
// nil.
type snapshot []any

// item is a row with its name (in a table) or with the name of its group (in an index). All trees except that of terms hold
// this one type, because the library is compiled once per item type; for forty types that was 6 MB of the program.
type item struct {
	name string
	row  any // a pointer to the row; nil sorts before all rows with the name
}

// pair returns a name for two texts. Names sort like the pairs of texts, and no two pairs share a name.
func pair[A, B ~string](a A, b B) string {
	return strings.ReplaceAll(string(a), "\x00", "\x00\xff") + "\x00\x01" + string(b)
}

// asName returns a text as its own name.
func asName[A ~string](a A) string { return string(a) }

// tree is one version of a tree. Goroutines may read and fork it concurrently.
type tree[T any] struct {
	forking sync.Mutex // btree's Copy also modifies the tree that it copies
	items   *btree.BTreeG[T]
}

// fork returns a version that one writer may change. Both versions share all nodes until they change.
func (t *tree[T]) fork() *tree[T] {
	t.forking.Lock()
	defer t.forking.Unlock()
	return &tree[T]{items: t.items.Copy()}
}

// slot is the place of one tree in every snapshot.
type slot[T any] struct {
	number int
	empty  *btree.BTreeG[T] // read in place of a nil tree; always empty
	less   func(a, b T) bool
}

// newSlot reserves the next place.
func newSlot[T any](places *int, less func(a, b T) bool) slot[T] {
	s := slot[T]{number: *places, less: less}
	s.empty = s.blank()
	*places++
	return s
}

// blank returns an empty tree without locks: committed trees are only read, and a writer has its own.
func (s *slot[T]) blank() *btree.BTreeG[T] {
	return btree.NewBTreeGOptions(s.less, btree.Options{Degree: degree, NoLocks: true})
}

// in returns the tree of a snapshot for reading.
func (s *slot[T]) in(now snapshot) *btree.BTreeG[T] {
	if t, ok := now[s.number].(*tree[T]); ok {
		return t.items
	}
	return s.empty
}

// writable returns the transaction's version of the tree and creates it on first use.
func (s *slot[T]) writable(tx *writeTx) *btree.BTreeG[T] {
	t, ok := tx.current[s.number].(*tree[T])
	switch {
	case !ok:
		t = &tree[T]{items: s.blank()}
	case tx.current[s.number] == tx.base[s.number]:
		t = t.fork()
	default:
		return t.items
	}
	tx.current[s.number] = t
	return t.items
}

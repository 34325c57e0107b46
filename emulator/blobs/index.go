package blobs

import (
	"hash/maphash"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// node is an immutable treap: a search tree by key and a heap by weight. A write copies the path from the root, so copying a
// pointer forks the index. nil is the empty index. Source: Seidel and Aragon, Randomized Search Trees, 1996.
type node struct {
	key         string
	weight      uint64
	blob        stored
	left, right *node
}

// stored is a committed blob.
type stored struct {
	info    engine.BlobInfo
	content *content
}

var weights = maphash.MakeSeed()

// get returns the blob of a key.
func (n *node) get(key string) (stored, bool) {
	for n != nil {
		switch c := strings.Compare(key, n.key); {
		case c < 0:
			n = n.left
		case c > 0:
			n = n.right
		default:
			return n.blob, true
		}
	}
	return stored{}, false
}

// with returns the index with the blob stored under the key.
func (n *node) with(key string, b stored) *node {
	left, right := n.split(key)
	return join(join(left, &node{key: key, weight: maphash.String(weights, key), blob: b}), right)
}

// without returns the index without the key.
func (n *node) without(key string) *node {
	if _, ok := n.get(key); !ok {
		return n
	}
	left, right := n.split(key)
	return join(left, right)
}

// split returns the nodes with smaller keys and those with larger keys.
func (n *node) split(key string) (below, above *node) {
	if n == nil {
		return nil, nil
	}
	c := strings.Compare(key, n.key)
	if c == 0 {
		return n.left, n.right
	}
	own := *n
	if c < 0 {
		below, own.left = n.left.split(key)
		return below, &own
	}
	own.right, above = n.right.split(key)
	return &own, above
}

// join merges two indexes. Every key of low must be smaller than every key of high.
func join(low, high *node) *node {
	switch {
	case low == nil:
		return high
	case high == nil:
		return low
	case low.weight >= high.weight:
		own := *low
		own.right = join(low.right, high)
		return &own
	}
	own := *high
	own.left = join(low, high.left)
	return &own
}

// each calls fn in key order for the keys that begin with prefix. It stops at the first error and returns it.
func (n *node) each(prefix string, fn func(key string) error) error {
	if n == nil {
		return nil
	}
	begins := strings.HasPrefix(n.key, prefix)
	if begins || n.key > prefix {
		if err := n.left.each(prefix, fn); err != nil {
			return err
		}
	}
	if begins {
		if err := fn(n.key); err != nil {
			return err
		}
	}
	if begins || n.key < prefix {
		return n.right.each(prefix, fn)
	}
	return nil
}

package powerloss

import "maps"

// node is a file or a folder: what the program sees, what is durable, and the changes between them.
type node struct {
	now, durable state
	pending      []change
	first        int // number of the first pending change
}

// state is the content of a file, or the names in a folder.
type state struct {
	bytes []byte
	names map[string]*node // nil for a file
}

// change is one change of a state.
type change struct {
	truncate bool // to the size off
	off      int64
	data     []byte

	remove, add string // names; "" for none
	node        *node  // of add
}

func newFile() *node { return &node{} }

func newFolder() *node {
	return &node{now: state{names: map[string]*node{}}, durable: state{names: map[string]*node{}}}
}

func (n *node) folder() bool { return n.now.names != nil }

// change changes what the program sees.
func (n *node) change(c change) {
	n.now.apply(c)
	n.pending = append(n.pending, c)
}

// changes returns how many changes were made so far.
func (n *node) changes() int { return n.first + len(n.pending) }

// sync makes the first changes durable, as many as given.
func (n *node) sync(changes int) {
	for n.first < changes {
		n.durable.apply(n.pending[0])
		n.pending = n.pending[1:]
		n.first++
	}
}

func (s *state) apply(c change) {
	switch {
	case s.names != nil:
		delete(s.names, c.remove)
		if c.add != "" {
			s.names[c.add] = c.node
		}
	case c.truncate:
		s.resize(c.off)
	default:
		s.resize(max(int64(len(s.bytes)), c.off+int64(len(c.data))))
		copy(s.bytes[c.off:], c.data)
	}
}

// resize cuts the bytes, or appends zeros.
func (s *state) resize(size int64) {
	if have := int64(len(s.bytes)); size > have {
		s.bytes = append(s.bytes, make([]byte, size-have)...)
	} else {
		s.bytes = s.bytes[:size]
	}
}

func (s *state) clone() state {
	return state{bytes: append([]byte(nil), s.bytes...), names: maps.Clone(s.names)}
}

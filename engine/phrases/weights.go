package phrases

import (
	"iter"
	"math/bits"
)

// weights are the weights of features: a hash table with at least half of its slots empty, which takes a third of a map's time.
type weights struct {
	features []feature // 0 in empty slots
	values   []int32
	shift    int
}

func newWeights(n int) weights {
	size := bits.Len(uint(2*n + 1))
	return weights{features: make([]feature, 1<<size), values: make([]int32, 1<<size), shift: 64 - size}
}

// slot returns where a feature is, or the empty slot where it would be.
func (w *weights) slot(f feature) uint64 {
	const golden = 0x9e3779b97f4a7c15 // 2⁶⁴ divided by the golden ratio, as in Fibonacci hashing
	i := uint64(f) * golden >> w.shift
	for w.features[i] != f && w.features[i] != 0 {
		i = (i + 1) & uint64(len(w.features)-1)
	}
	return i
}

func (w *weights) set(f feature, weight int) {
	i := w.slot(f)
	w.features[i], w.values[i] = f, int32(weight)
}

// of returns the weight of a feature, 0 if it has none.
func (w *weights) of(f feature) int { return int(w.values[w.slot(f)]) }

// all returns every feature with its weight, in no order.
func (w *weights) all() iter.Seq2[feature, int] {
	return func(yield func(feature, int) bool) {
		for i, f := range w.features {
			if f != 0 && !yield(f, int(w.values[i])) {
				return
			}
		}
	}
}

// character is what a model knows of a character.
type character struct {
	windows uint32         // that have features of several characters which begin with it, a bit for each
	single  [singles]int32 // its own weight in each of the windows of one character
}

// characters finds what a model knows of a character. The first entry is for all that it doesn't know.
type characters struct {
	all   []character
	pages []*[256]uint16 // by the upper bits of the character
}

// find returns the entry of a character.
func (c *characters) find(r rune) uint16 {
	if page := int(r >> 8); page < len(c.pages) && c.pages[page] != nil {
		return c.pages[page][r&0xff]
	}
	return 0
}

// make returns the entry of a character, which it adds if there is none.
func (c *characters) make(r rune) uint16 {
	for int(r>>8) >= len(c.pages) {
		c.pages = append(c.pages, nil)
	}
	page := &c.pages[r>>8]
	if *page == nil {
		*page = new([256]uint16)
	}
	at := &(*page)[r&0xff]
	if *at == 0 {
		*at = uint16(len(c.all))
		c.all = append(c.all, character{})
	}
	return *at
}

package phrases

// feature is a run of one to three characters, or of their kinds, at a place relative to a possible break: 19 bits for each character, below
// them those of the place. It is a number, so that looking it up is fast.
type feature uint64

const characterBits = 19

func newFeature(place byte, a, b, c rune) feature {
	f := uint64(place)
	for _, r := range [...]rune{c, b, a} {
		f = f<<characterBits | uint64(r)&(1<<characterBits-1)
	}
	return feature(f)
}

func (f feature) place() byte { return byte(f >> (3 * characterBits)) }

// text returns the characters of a feature.
func (f feature) text() string {
	var runes []rune
	for range 3 {
		if r := rune(f & (1<<characterBits - 1)); r != 0 {
			runes = append(runes, r)
		}
		f >>= characterBits
	}
	return string(runes)
}

// window says which characters a place has: from the from-th, relative to the break, n characters. The first one after the break is 0.
type window struct {
	place   byte
	from, n int
	kinds   bool // not the characters, but their kinds
}

// windows are the places of features: those of BudouX, and kinds as in TinySegmenter.
var windows = []window{
	{'A', -3, 1, false}, {'B', -2, 1, false}, {'C', -1, 1, false}, {'D', 0, 1, false}, {'E', 1, 1, false}, {'F', 2, 1, false},
	{'G', -3, 2, false}, {'H', -2, 2, false}, {pairs, -1, 2, false}, {'J', 0, 2, false}, {'K', 1, 2, false},
	{'L', -3, 3, false}, {'M', -2, 3, false}, {'N', -1, 3, false}, {'O', 0, 3, false},
	{'P', -1, 2, true}, {'Q', -3, 3, true}, {'R', -2, 3, true}, {'S', -1, 3, true}, {'T', 0, 3, true},
}

// pairs is the place of the two characters around a break.
const pairs = 'I'

// outside stands for a character before or after the text.
const outside = '_'

// kindLetters has the letter of each kind in features.
const kindLetters = "oscbplkhHm"

// featureAt returns the feature of a window for a break before runes[i].
func featureAt(w window, runes []rune, kinds []kind, i int) feature {
	var at [3]rune
	for k := range w.n {
		switch j := i + w.from + k; {
		case j < 0 || j >= len(runes):
			at[k] = outside
		case w.kinds:
			at[k] = rune(kindLetters[kinds[j]])
		default:
			at[k] = runes[j]
		}
	}
	return newFeature(w.place, at[0], at[1], at[2])
}

// text is a text with what a model asks for again and again.
type text struct {
	runes []rune
	kinds []kind
	begin []uint32 // of model, for each character
}

func newText(runes []rune, m *model) text {
	t := text{runes: runes, kinds: kindsOf(runes)}
	if m != nil {
		t.begin = make([]uint32, len(runes))
		for i, r := range runes {
			t.begin[i] = m.begin[r]
		}
	}
	return t
}

// run returns the number of a window's run of kinds.
func (t text) run(w window, i int) (run int) {
	for j := i + w.from; j < i+w.from+w.n; j++ {
		run *= len(kindLetters) + 1
		if j >= 0 && j < len(t.kinds) {
			run += int(t.kinds[j]) + 1
		}
	}
	return run
}

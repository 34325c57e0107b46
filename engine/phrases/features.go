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

// singles is how many windows have one character. They are the first, from the third character before the break to the third after it.
const singles = 6

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

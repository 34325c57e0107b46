package phrases

import (
	_ "embed"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// model scores breaks between characters of one language: the sum of the weights of a break's features.
type model struct {
	bias       int
	weights    weights
	characters characters
	outside    uint16           // the entry of what is outside the text
	begin      [5]uint32        // the windows of several characters that begin 3, 2, … characters before the break, a bit for each
	kinds      [4][kindRuns]int // the weights of all kinds that begin 3, 2, … characters before the break

	lexical bool     // split knows all words
	split   splitter // nil if words are unknown
}

// splitter sets the length of the word that each character begins, in characters, or 0 inside words. All are 0 before.
type splitter func(words []int8, runes []rune, kinds []kind)

// kindRuns is how many runs of three kinds there are, with one more kind for outside.
const (
	allKinds = len(kindLetters) + 1
	kindRuns = allKinds * allKinds * allKinds
)

// newModel returns a model that finds its weights fast.
func newModel(bias int, learned map[feature]int) *model {
	m := &model{bias: bias, weights: newWeights(len(learned)), characters: characters{all: make([]character, 1)}}
	m.outside = m.characters.make(outside)
	for k, w := range windows {
		if !w.kinds && w.n > 1 {
			m.begin[w.from+3] |= 1 << k
		}
	}
	for f, weight := range learned {
		m.weights.set(f, weight)
		k := slices.IndexFunc(windows, func(w window) bool { return w.place == f.place() })
		runes := []rune(f.text())
		if windows[k].kinds {
			m.addKinds(windows[k], runes, weight)
			continue
		}
		at := m.characters.make(runes[0])
		c := &m.characters.all[at]
		if k < singles {
			c.single[k] = int32(weight)
		} else {
			c.windows |= 1 << k
		}
	}
	return m
}

// addKinds adds the weight of a run of two or three kinds. A run of two counts for all runs of three that begin with it.
func (m *model) addKinds(w window, letters []rune, weight int) {
	run, n := 0, 1
	for _, r := range letters {
		run = run*allKinds + strings.IndexRune(kindLetters, r) + 1 // 0 is outside
	}
	if len(letters) == 2 {
		run, n = run*allKinds, allKinds
	}
	for i := range n {
		m.kinds[w.from+3][run+i] += weight
	}
}

// The tables are learned from testdata/train. Each line has the place of features, then the characters and weight of each feature.
//
//go:generate env UPDATE_GOLDEN=1 go test -vet=off -count=1 -run TestTables .
var (
	//go:embed ja.txt
	japaneseTable string
	//go:embed zh.txt
	chineseTable string
)

var (
	japanese = sync.OnceValue(func() *model {
		m := parseModel(japaneseTable)
		m.split = splitCompounds
		return m
	})
	chinese = sync.OnceValue(func() *model {
		m := parseModel(chineseTable)
		m.split, m.lexical = chineseLexicon().split, true
		return m
	})
)

// modelOf returns the model of a language, or nil if its words have spaces between them.
func modelOf(l transcript.Language) *model {
	switch l {
	case "ja":
		return japanese()
	case "zh":
		return chinese()
	}
	return nil
}

// parseModel reads a table.
func parseModel(table string) *model {
	bias, learned := 0, map[feature]int{}
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if fields[0] == "bias" {
			bias, _ = strconv.Atoi(fields[1])
			continue
		}
		if fields[0] == "pairs" {
			weight, _ := strconv.Atoi(fields[1])
			runes := []rune(fields[2])
			for i := 0; i+1 < len(runes); i += 2 {
				learned[newFeature(pairs, runes[i], runes[i+1], 0)] = weight
			}
			continue
		}
		for _, x := range fields[1:] {
			i := strings.LastIndexAny(x, "+-")
			weight, _ := strconv.Atoi(x[i:])
			var at [3]rune
			copy(at[:], []rune(x[:i]))
			learned[newFeature(fields[0][0], at[0], at[1], at[2])] = weight
		}
	}
	return newModel(bias, learned)
}

// score returns the score of a break before the i-th character, 1 to 79, or 0 for none. It is ScoreWord if only a word ends there.
func (m *model) score(t *Text, i int) int {
	words := t.split()
	if words != nil && words[i] == 0 {
		return 0
	}
	margin := m.margin(t, i)
	switch {
	case margin > 0 || margin > doubt && between(words, i):
		return min(30+margin/10, scoreSpace-1)
	case m.lexical || margin > hesitation:
		return ScoreWord
	}
	return 0
}

// doubt is a margin that is enough between two words of a lexicon that are longer than a character.
const doubt = -40

// between reports whether the words before and after the i-th character are longer than a character.
func between(words []int8, i int) bool {
	return words != nil && i > 1 && words[i] > 1 && words[i-1] == 0
}

// margin returns the sum of the weights of the features before and after a break.
func (m *model) margin(t *Text, i int) int {
	var around [singles]*character
	var kinds [singles]int
	for k := range singles {
		around[k] = &m.characters.all[m.outside]
		if j := i + k - 3; j >= 0 && j < len(t.known) {
			around[k], kinds[k] = &m.characters.all[t.known[j]], int(t.kinds[j])+1
		}
	}
	sum := m.bias
	for k, c := range around {
		sum += int(c.single[k])
	}
	for k := range m.kinds {
		sum += m.kinds[k][(kinds[k]*allKinds+kinds[k+1])*allKinds+kinds[k+2]]
	}
	for k, begin := range m.begin {
		for set := around[k].windows & begin; set != 0; set &= set - 1 {
			sum += m.weights.of(featureAt(windows[bits.TrailingZeros32(set)], t.runes, t.kinds, i))
		}
	}
	return sum
}

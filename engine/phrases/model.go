package phrases

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// model scores breaks between characters of one language: the sum of the weights of a break's features.
type model struct {
	bias    int
	weights map[feature]int
	begin   map[rune]uint32 // the windows that have features which begin with a character, a bit for each; most have none
	outside uint32          // those that have features which begin outside the text
	kinds   [][kindRuns]int // the weights of each window of kinds
}

// kindRuns is how many runs of three kinds there are, with one more kind for outside.
const kindRuns = (len(kindLetters) + 1) * (len(kindLetters) + 1) * (len(kindLetters) + 1)

// newModel returns a model that finds its weights fast.
func newModel(bias int, weights map[feature]int) *model {
	m := &model{bias: bias, weights: weights, begin: map[rune]uint32{}, kinds: make([][kindRuns]int, len(windows))}
	for f, weight := range weights {
		i := slices.IndexFunc(windows, func(w window) bool { return w.place == f.place() })
		runes := []rune(f.text())
		if !windows[i].kinds {
			m.begin[runes[0]] |= 1 << i
			continue
		}
		run := 0
		for _, r := range runes {
			run = run*(len(kindLetters)+1) + strings.IndexRune(kindLetters, r) + 1 // 0 is outside
		}
		m.kinds[i][run] = weight
	}
	m.outside = m.begin[outside]
	return m
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
	japanese = sync.OnceValue(func() *model { return parseModel(japaneseTable) })
	chinese  = sync.OnceValue(func() *model { return parseModel(chineseTable) })
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
	bias, weights := 0, map[feature]int{}
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
				weights[newFeature(pairs, runes[i], runes[i+1], 0)] = weight
			}
			continue
		}
		for _, x := range fields[1:] {
			i := strings.LastIndexAny(x, "+-")
			weight, _ := strconv.Atoi(x[i:])
			var at [3]rune
			copy(at[:], []rune(x[:i]))
			weights[newFeature(fields[0][0], at[0], at[1], at[2])] = weight
		}
	}
	return newModel(bias, weights)
}

// score returns the score of a break before the i-th character, 1 to 79, or 0 for none.
func (m *model) score(t text, i int) int {
	margin := m.margin(t, i)
	if margin <= 0 {
		return 0
	}
	return min(30+margin/10, scoreSpace-1)
}

func (m *model) margin(t text, i int) int {
	sum := m.bias
	for k, w := range windows {
		if w.kinds {
			sum += m.kinds[k][t.run(w, i)]
			continue
		}
		begin := m.outside
		if j := i + w.from; j >= 0 && j < len(t.runes) {
			begin = t.begin[j]
		}
		if begin&(1<<k) == 0 {
			continue
		}
		sum += m.weights[featureAt(w, t.runes, t.kinds, i)]
	}
	return sum
}

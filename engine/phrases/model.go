package phrases

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// model scores breaks between characters of one language: the sum of the weights of a break's features.
type model struct {
	bias    int
	weights map[feature]int
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
	m := &model{weights: map[feature]int{}}
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if fields[0] == "bias" {
			m.bias, _ = strconv.Atoi(fields[1])
			continue
		}
		if fields[0] == "pairs" {
			weight, _ := strconv.Atoi(fields[1])
			runes := []rune(fields[2])
			for i := 0; i+1 < len(runes); i += 2 {
				m.weights[newFeature(pairs, runes[i], runes[i+1], 0)] = weight
			}
			continue
		}
		for _, x := range fields[1:] {
			i := strings.LastIndexAny(x, "+-")
			weight, _ := strconv.Atoi(x[i:])
			var at [3]rune
			copy(at[:], []rune(x[:i]))
			m.weights[newFeature(fields[0][0], at[0], at[1], at[2])] = weight
		}
	}
	return m
}

// score returns the score of a break before runes[i], 1 to 79, or 0 for none.
func (m *model) score(runes []rune, kinds []kind, i int) int {
	margin := m.margin(runes, kinds, i)
	if margin <= 0 {
		return 0
	}
	return min(30+margin/10, scoreSpace-1)
}

func (m *model) margin(runes []rune, kinds []kind, i int) int {
	sum := m.bias
	for _, w := range windows {
		sum += m.weights[featureAt(w, runes, kinds, i)]
	}
	return sum
}

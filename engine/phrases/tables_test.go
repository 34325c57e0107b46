package phrases

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	rounds = 1000
	glue   = -1.5 // of two characters inside a frequent word
)

// cautions are subtracted from every sum: a missing break is better than one inside a word.
var cautions = map[transcript.Language]float64{"ja": 1, "zh": 1.5}

// The tables are what the trainer learns from testdata/train. UPDATE_GOLDEN=1 writes them.
func TestTables(t *testing.T) {
	t.Parallel()
	update := os.Getenv("UPDATE_GOLDEN") != ""
	if testing.Short() && !update {
		t.Skip("training takes seconds")
	}
	for l, table := range map[transcript.Language]string{"ja": japaneseTable, "zh": chineseTable} {
		tr := newTrainer(readSentences(t, "train", l))
		if l == "zh" {
			tr.assume(glued(t), glue)
		}
		tr.train(rounds)
		learned := tr.model(cautions[l]).table()
		require.Less(t, len(learned), 42_000, "bytes of the table")
		switch {
		case update:
			require.NoError(t, os.WriteFile(string(l)+".txt", []byte(learned), 0o644))
		case runtime.GOARCH == "amd64": // others may round differently
			require.Equal(t, table, learned, "%s.txt is out of date: run go generate", l)
		}
	}
}

// A model survives its table.
func TestTableRoundTrip(t *testing.T) {
	t.Parallel()
	for _, table := range []string{japaneseTable, chineseTable} {
		m := parseModel(table)
		require.Negative(t, m.bias)
		require.Greater(t, len(maps.Collect(m.weights.all())), 100)
		require.Equal(t, table, m.table())
		for f := range m.weights.all() {
			i := slices.IndexFunc(windows, func(w window) bool { return w.place == f.place() })
			require.Len(t, []rune(f.text()), windows[i].n)
		}
	}
}

// glued returns the pairs of characters inside the words of testdata/train/zh-words.txt, as features.
func glued(t *testing.T) (all []feature) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "train", "zh-words.txt"))
	require.NoError(t, err)
	for word := range strings.FieldsSeq(string(b)) {
		runes := []rune(word)
		for i := 1; i < len(runes); i++ {
			all = append(all, newFeature(pairs, runes[i-1], runes[i], 0))
		}
	}
	return all
}

// table returns a model as text. The most frequent weight of pairs stands once, before all pairs that have it.
func (m *model) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "bias %d", m.bias)
	order := func(x, y feature) int {
		return cmp.Or(cmp.Compare(x.place(), y.place()), cmp.Compare(x.text(), y.text()))
	}
	learned := maps.Collect(m.weights.all())
	features := slices.SortedFunc(maps.Keys(learned), order)
	if common := m.commonPair(); common != 0 {
		fmt.Fprintf(&b, "\npairs %d ", common)
		features = slices.DeleteFunc(features, func(f feature) bool {
			if f.place() != pairs || learned[f] != common {
				return false
			}
			b.WriteString(f.text())
			return true
		})
	}
	place := byte(0)
	for _, f := range features {
		if f.place() != place {
			place = f.place()
			fmt.Fprintf(&b, "\n%c", place)
		}
		fmt.Fprintf(&b, " %s%+d", f.text(), learned[f])
	}
	return b.String() + "\n"
}

// commonPair returns the weight that most pairs have, or 0 if it isn't worth a line.
func (m *model) commonPair() (common int) {
	count := map[int]int{}
	for f, w := range m.weights.all() {
		if f.place() == pairs {
			count[w]++
		}
	}
	for w, n := range count {
		if n > 1000 {
			common = w
		}
	}
	return common
}

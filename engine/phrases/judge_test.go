package phrases

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// sentence is a line of testdata/train or testdata/judge: a space is where a word begins, a bar where a phrase begins.
type sentence struct {
	runes   []rune
	words   map[int]bool
	phrases map[int]bool
}

func readSentences(t *testing.T, set string, l transcript.Language) (all []sentence) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", set, string(l)+".txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(b)) {
		s := sentence{words: map[int]bool{}, phrases: map[int]bool{}}
		for _, r := range strings.TrimSpace(line) {
			switch r {
			case ' ', '|':
				s.words[len(s.runes)], s.phrases[len(s.runes)] = true, r == '|'
			default:
				s.runes = append(s.runes, r)
			}
		}
		all = append(all, s)
	}
	return all
}

// verdict counts the breaks of a model by where they are. Breaks after punctuation need no model, and aren't counted.
type verdict struct{ breaks, phrases, words, inside, missed int }

func (v verdict) String() string {
	return fmt.Sprintf("%d breaks: %d between phrases, %d between other words, %d inside words (%.2f %%); %d phrases missed",
		v.breaks, v.phrases, v.words, v.inside, 100*float64(v.inside)/float64(max(1, v.breaks)), v.missed)
}

// judge compares a model with the marks of a dictionary.
func judge(m *model, sentences []sentence) (v verdict, splits []string) {
	for _, s := range sentences {
		text := &Text{model: m}
		text.Append(string(s.runes))
		for i := 1; i < len(s.runes); i++ {
			if joined(s.runes, text.kinds, i) || text.kinds[i-1] == kindStop || text.kinds[i-1] == kindClose {
				continue
			}
			if m.score(text, i) <= ScoreWord {
				if s.phrases[i] {
					v.missed++
				}
				continue
			}
			v.breaks++
			switch {
			case s.phrases[i]:
				v.phrases++
			case s.words[i]:
				v.words++
			default:
				v.inside++
				splits = append(splits, string(s.runes[:i])+"|"+string(s.runes[i:]))
			}
		}
	}
	return v, splits
}

// At most 0.5 % of the breaks are inside a word of a dictionary, in sentences that the models haven't learned. Most phrases are found.
func TestJudge(t *testing.T) {
	t.Parallel()
	for l, found := range map[transcript.Language]float64{"ja": 0.85, "zh": 0.49} {
		sentences := readSentences(t, "judge", l)
		require.GreaterOrEqual(t, len(sentences), 100)
		v, splits := judge(modelOf(l), sentences)
		t.Log(l, v)
		require.LessOrEqual(t, float64(v.inside), 0.005*float64(v.breaks), "%s: %v: %q", l, v, splits)
		require.Greater(t, float64(v.phrases), found*float64(v.phrases+v.missed), "%s: %v", l, v)
	}
}

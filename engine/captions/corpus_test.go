package captions_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// In 400 sentences of each language, whose words and marks were written apart from the tables of this package, no caption splits what
// belongs together: at the widths of landscape and portrait video, and in captions of a few words.
func TestCorpus(t *testing.T) {
	t.Parallel()
	testCorpus(t, "corpus", 10, 400)
}

// The sentences of this corpus have other vocabulary: fractions, ranks, recipes, courts, markets, and comparisons.
func TestFreshCorpus(t *testing.T) {
	t.Parallel()
	testCorpus(t, "fresh", 1, 12)
}

func testCorpus(t *testing.T, folder string, combinations, least int) {
	t.Helper()
	for _, language := range transcript.Languages() {
		limits := []captions.Options{{}, {Columns: 42}, {Columns: 24}, {Columns: 42, Words: 8}, {Columns: 24, Words: 6}, {Columns: 24, Lines: 1, Words: 3}}
		if !language.Spaced() { // as package render asks for: a word may be a character
			limits = []captions.Options{{}, {Columns: 42}, {Columns: 24}, {Columns: 20}, {Columns: 14, Lines: 1}}
		}
		t.Run(string(language), func(t *testing.T) {
			t.Parallel()
			sentences := together(t, folder, language, combinations)
			texts := make([]string, len(sentences))
			for i, s := range sentences {
				texts[i] = s.text
			}
			slices.Sort(texts)
			require.GreaterOrEqual(t, len(slices.Compact(texts)), least, "different sentences")
			cues, marks, wrong := 0, 0, 0
			for i, s := range sentences {
				if testing.Short() && combinations > 1 && i%7 > 0 {
					continue
				}
				marks += s.marks()
				tr := transcript.Transcript{Language: language, Utterances: []transcript.Utterance{{Text: s.text, End: s.words[len(s.words)-1].End, Words: s.words}}}
				for _, o := range limits {
					built := captions.Build(tr, nil, o)
					cues += len(built)
					for _, split := range s.splits(built, o.WithDefaults(language)) {
						t.Errorf("%s: %d columns, %d words: %s", split, o.Columns, o.Words, shown(built))
						wrong++
					}
				}
			}
			t.Logf("%d sentences, %d marks, %d cues, %d splits", len(sentences), marks, cues, wrong)
		})
	}
}

// marks returns how many groups of words belong together.
func (s *spelled) marks() int {
	groups := slices.Clone(s.group)
	return len(slices.Compact(slices.DeleteFunc(groups, func(g int) bool { return g == 0 })))
}

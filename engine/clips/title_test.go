package clips

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A title is the most quotable sentence that fits. If that is less than half as quotable as the best, it is a clause of the best sentence,
// or its first words.
func TestTitle(t *testing.T) {
	t.Parallel()
	letters := func(n int) string { return strings.Repeat("x", n) }
	long := "The granite of the harbour outlasts the sea, and it outlasts each of the keepers by far, as they say: stone is patient."
	for name, c := range map[string]struct {
		texts    []string
		quotable []float64
		want     string
	}{
		"most quotable":          {[]string{"One thing.", "Another thing.", "Last thing."}, []float64{0.1, 0.9, 0.5}, "Another thing"},
		"the first of equals":    {[]string{"One thing.", "Another thing."}, []float64{0.5, 0.5}, "One thing"},
		"80 characters fit":      {[]string{letters(80), "Short."}, []float64{1, 0.5}, letters(80)},
		"81 characters don't":    {[]string{letters(81), "Short."}, []float64{1, 0.5}, "Short"},
		"a later short one":      {[]string{letters(81), "First.", "Second."}, []float64{1, 0.5, 0.6}, "Second"},
		"less than half as good": {[]string{long, "Short."}, []float64{1, 0.49}, "The granite of the harbour outlasts the sea"},
		"clause is too short":    {[]string{"Stone is patient, " + letters(90)}, []float64{1}, "Stone is patient"},
		"clause is 15 long":      {[]string{"Stone: granite is cold, " + letters(90)}, []float64{1}, "Stone: granite is cold"},
		"clause is 16 long":      {[]string{"Stone: granite is solid, " + letters(90)}, []float64{1}, "granite is solid"},
		"the first is too weak":  {[]string{"Short.", long}, []float64{0.1, 1}, "The granite of the harbour outlasts the sea"},
		"the first is enough":    {[]string{"Short.", long}, []float64{0.5, 1}, "Short"},
		"clause refers back":     {[]string{"They say this of the stone, granite of the harbour is patient, " + letters(30)}, []float64{1}, "granite of the harbour is patient"},
		"no clause":              {[]string{strings.Repeat("word ", 20)}, []float64{1}, strings.TrimSpace(strings.Repeat("word ", 16))},
	} {
		s := plainScorer(c.texts...)
		s.quotable = c.quotable
		require.Equal(t, c.want, s.title(0, len(c.texts)), name)
	}
	s := plainScorer("Not this.", "But that.", "Nor this.")
	s.quotable = []float64{1, 0.5, 1}
	require.Equal(t, "But that", s.title(1, 2), "only the sentences of the range count")
}

// A long title is cut between words, or after 80 characters, and never before a combining mark.
func TestCutTitle(t *testing.T) {
	t.Parallel()
	letters := func(n int) string { return strings.Repeat("x", n) }
	for name, c := range map[string]struct{ text, want string }{
		"80 characters":        {letters(80), letters(80)},
		"a word of 81":         {letters(81), letters(80)},
		"words of 80":          {letters(40) + " " + letters(39) + " y", letters(40) + " " + letters(39)},
		"words of 81":          {letters(40) + " " + letters(40) + " y", letters(40)},
		"a mark at the border": {letters(80) + "\u0301" + letters(5), letters(79)},
		"a mark before it":     {letters(79) + "\u0301" + letters(5), letters(79) + "\u0301"},
		"marks only":           {strings.Repeat("\u0301", 90), "\u0301"},
		"lines":                {" a\n b ", "a b"},
		"full stop":            {"Stone。", "Stone"},
		"only a full stop":     {".", "."},
	} {
		require.Equal(t, c.want, cutTitle(c.text), name)
	}
}

package search

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A document with all units of the query in one part scores half as much again; with some of them, in proportion.
func TestTogetherBonus(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		query string
		texts []string
		want  float64
	}{
		"one unit":     {"a1", []string{"a1 x1"}, 1},
		"apart":        {"a1 b1", []string{"a1", "b1"}, 1},
		"together":     {"a1 b1", []string{"a1 b1"}, 1.5},
		"all apart":    {"a1 b1 c1", []string{"a1", "b1", "c1"}, 1},
		"two of three": {"a1 b1 c1", []string{"a1 c1", "b1"}, 1.25},
		"all three":    {"a1 b1 c1", []string{"a1 c1 b1"}, 1.5},
	} {
		s := newShelf(map[string][]string{"1/a": c.texts})
		found, err := findHits(s, DocumentTranscript, nil, queryUnits(c.query))
		require.NoError(t, err)
		h, ok := found.next()
		require.True(t, ok, name)
		base := 0.0
		for range h.parts {
			base += relevance(rarity(1, 1), 1, h.doc.Length, float64(h.doc.Length))
		}
		require.InDelta(t, c.want, h.score/base, 1e-9, name)
	}
}

// A run of ideographs is looked up by all its pairs, each as often as it occurs.
func TestUnitPostings(t *testing.T) {
	t.Parallel()
	s := newShelf(map[string][]string{"1/a": {"東京x", "東京都", "京都東"}, "2/b": {"東京"}, "3/c": {"都x京都x東京"}})
	units := queryUnits("東京都")
	require.Len(t, units, 1)
	lists, _, err := readTerms(s, PostingQuery{}, units)
	require.NoError(t, err)
	found := map[DocumentID][]int{}
	for _, p := range unitPostings(lists, units[0]) {
		found[p.Document.ID] = p.Parts
	}
	require.Equal(t, map[DocumentID][]int{"1/a": {1}, "3/c": {0}}, found)
}

// Korean letters and Japanese kana compose as Unicode says, and nothing else does.
func TestJoinIdeographs(t *testing.T) {
	t.Parallel()
	parts := []rune{'a', 'う', 'は', 'ヽ', '日', '\u30ef', '\u30f0', '\u30f2', '\u30f3', 0x10ff, 0xabff, 0xac00, 0xac01, 0xac1c, 0xd788, 0xd7a3, 0xd7a4, 0x3099, 0x309a, 0x11a7, 0x11c3}
	for r := rune(0x1100); r < 0x1114; r++ {
		parts = append(parts, r)
	}
	for r := rune(0x1160); r < 0x1178; r++ {
		parts = append(parts, r)
	}
	for r := rune(0x11a8); r < 0x11c3; r++ {
		parts = append(parts, r)
	}
	for r := rune(0x3041); r < 0x30ff; r++ {
		parts = append(parts, r)
	}
	for _, a := range parts {
		for _, b := range parts {
			want := []rune(norm.NFC.String(string([]rune{a, b})))
			got, ok := joinIdeographs(a, b)
			if ok != (len(want) == 1) || ok && got != want[0] {
				t.Errorf("%U %U: %U, %t, want %U", a, b, got, ok, want)
			}
		}
	}
}

// Characters that only affect how their neighbours are drawn don't split a word. Others do.
func TestInvisible(t *testing.T) {
	t.Parallel()
	for _, r := range "\u00ad\u200c\u200d\u2060\ufeff" {
		require.Equal(t, []string{"cooperate"}, Terms("co"+string(r)+"operate"), "%U", r)
	}
	for _, r := range "\u200b\u2061\u00ac\u2028 -" {
		require.Equal(t, []string{"co", "operate"}, Terms("co"+string(r)+"operate"), "%U", r)
	}
}

// The numbers of a spread are distinct, and the first few are far apart.
func TestSpread(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][]int{1: {0}, 2: {0, 1}, 4: {0, 2, 1, 3}, 5: {0, 4, 2, 6, 1}, 8: {0, 4, 2, 6, 1, 5, 3, 7}} {
		var got []int
		for place := range n {
			got = append(got, spread(place, n))
		}
		require.Equal(t, want, got, n)
	}
}

// The neighbours of the chosen windows are those after and before them in the same recording.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	p := picker{all: make([]excerpt, 5), chosen: []bool{false, true, false, false, true}}
	p.all[3].recording, p.all[4].recording = 1, 1
	require.Equal(t, []int{3, 2, 0}, p.neighbours([]int{4, 3, 1}))
}

// A window of several utterances has at most passageMax tokens. The tokens of all recordings count a label for each window.
func TestCutExcerpts(t *testing.T) {
	t.Parallel()
	of := func(tokens ...int) Grounding {
		g := Grounding{Title: "Talk"} // 9 tokens for the title and label of a window
		for _, n := range tokens {
			g.Transcript.Utterances = append(g.Transcript.Utterances, transcript.Utterance{Text: strings.Repeat("a", 4*(n-4))}) // 4 for the utterance
		}
		return g
	}
	type window struct{ from, to, tokens int }
	for name, c := range map[string]struct {
		tokens []int
		want   []window
	}{
		"one":            {[]int{10}, []window{{0, 1, 19}}},
		"up to the most": {[]int{passageMin - 10, passageMax - passageMin + 1}, []window{{0, 2, passageMax}}},
		"one too many":   {[]int{passageMin - 10, passageMax - passageMin + 2}, []window{{0, 1, passageMin - 1}, {1, 2, passageMax - passageMin + 11}}},
		"a long one":     {[]int{2 * passageMax}, []window{{0, 1, 2*passageMax + 9}}},
	} {
		var got []window
		for _, x := range cutExcerpts([]Grounding{of(c.tokens...)}) {
			got = append(got, window{x.from, x.to, x.tokens})
		}
		require.Equal(t, c.want, got, name)
	}
	require.Equal(t, passageMin-1+9, WholeTokens([]Grounding{of(passageMin - 1)}))
	require.Equal(t, passageMin+2*9+19, WholeTokens([]Grounding{of(passageMin), of(10)}))
	require.Empty(t, cutExcerpts(nil))
}

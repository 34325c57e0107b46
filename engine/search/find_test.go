package search

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shelf is an Index in memory. The texts of a document are its parts.
type shelf struct {
	texts    map[DocumentID][]string
	postings map[string][]Posting
	err      error
	longest  int // list that was read
}

func newShelf(documents map[string][]string) *shelf {
	s := &shelf{texts: map[DocumentID][]string{}, postings: map[string][]Posting{}}
	for id, texts := range documents {
		parts, length := IndexTerms(texts)
		s.texts[DocumentID(id)] = texts
		for term, in := range parts {
			s.postings[term] = append(s.postings[term], Posting{Document{ID: DocumentID(id), Length: length}, in})
		}
	}
	for _, all := range s.postings {
		slices.SortFunc(all, func(a, b Posting) int { return cmp.Compare(a.Document.ID, b.Document.ID) })
	}
	return s
}

// Postings returns copies, as a store does: search changes them.
func (s *shelf) Postings(q PostingQuery) (all []Posting, err error) {
	for _, p := range s.postings[q.Term] {
		if q.Wants(p.Document.ID) {
			all = append(all, Posting{p.Document, slices.Clone(p.Parts)})
		}
	}
	if q.Limit > 0 {
		all = all[max(0, len(all)-q.Limit):]
	}
	s.longest = max(s.longest, len(all))
	return all, s.err
}

// find returns the ids of the matches, in order.
func (s *shelf) find(t *testing.T, query string, limit int) []string {
	t.Helper()
	matches, err := Find(s, DocumentTranscript, nil, ParseQuery(query), limit, func(d Document) ([]string, error) { return s.texts[d.ID], nil })
	require.NoError(t, err)
	ids := []string{}
	for _, m := range matches {
		ids = append(ids, string(m.Document.ID))
	}
	return ids
}

// The weights are those of the formula: rare terms count more, repeated terms less each time, and terms of long texts less.
func TestBM25(t *testing.T) {
	t.Parallel()
	require.InDelta(t, math.Log(1+9.5/1.5), rarity(10, 1), 1e-9)
	require.InDelta(t, math.Log(1+0.5/10.5), rarity(10, 10), 1e-9)
	require.InDelta(t, 2*2.2/2.2, relevance(2, 1, 50, 50), 1e-9, "once, in a text of average length")
	require.InDelta(t, 2*3*2.2/(3+1.2), relevance(2, 3, 50, 50), 1e-9, "three times")
	require.InDelta(t, 2*2.2/(1+1.2*(0.25+0.75*2)), relevance(2, 1, 100, 50), 1e-9, "in a long text")
	require.InDelta(t, 2*2.2/(1+1.2*(0.25+0.75*4)), relevance(2, 1, 4, 0.5), 1e-9, "the average length is at least one")
}

// Find ranks by relevance, then by age, then by id. All units of the query are required.
func TestFind(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("filler ", 20)
	for name, c := range map[string]struct {
		documents map[string][]string
		query     string
		want      []string
	}{
		"often before once":     {map[string][]string{"1/a": {"sea land air"}, "2/b": {"land air fire"}, "0/c": {"sea sea air"}}, "sea", []string{"0/c", "1/a"}},
		"short before long":     {map[string][]string{"2/a": {"sea " + filler}, "1/b": {"sea land"}}, "sea", []string{"1/b", "2/a"}},
		"newest of equals":      {map[string][]string{"1/a": {"sea"}, "3/b": {"sea"}, "2/c": {"sea"}}, "sea", []string{"3/b", "2/c", "1/a"}},
		"lowest id of an age":   {map[string][]string{"1/c": {"sea"}, "1/a": {"sea"}, "1/b": {"sea"}}, "sea", []string{"1/a", "1/b", "1/c"}},
		"every unit":            {map[string][]string{"1/a": {"sea"}, "2/b": {"land"}, "3/c": {"sea", "land"}}, "land sea", []string{"3/c"}},
		"together before apart": {map[string][]string{"2/a": {"sea x", "land y"}, "1/b": {"sea land", "x y"}}, "sea land", []string{"1/b", "2/a"}},
		"two of three together": {map[string][]string{"2/a": {"a1", "b1", "c1"}, "1/b": {"a1 c1", "b1"}}, "a1 b1 c1", []string{"1/b", "2/a"}},
		"a rare unit decides":   {map[string][]string{"1/a": {"sea gull gull"}, "2/b": {"sea sea gull"}, "3/c": {"sea"}, "4/d": {"sea"}, "5/e": {"sea"}}, "sea gull", []string{"1/a", "2/b"}},
		"nothing":               {map[string][]string{"1/a": {"sea"}}, "lake", []string{}},
		"a run of ideographs":   {map[string][]string{"1/a": {"東京都庁"}, "2/b": {"京都東京"}, "3/c": {"都庁東京"}}, "東京都", []string{"1/a"}},
		"a run with repetition": {map[string][]string{"1/a": {"ははは"}, "2/b": {"はは"}}, "ははは", []string{"1/a"}},
	} {
		require.Equal(t, c.want, newShelf(c.documents).find(t, c.query, 10), name)
	}
	many := map[string][]string{}
	for i := range 9 {
		many[fmt.Sprint(i, "/x")] = []string{"sea"}
	}
	require.Equal(t, []string{"8/x", "7/x"}, newShelf(many).find(t, "sea", 2))
	require.True(t, ParseQuery("?!").Empty())
	require.False(t, ParseQuery("a").Empty())
}

// Of a word that too many documents have, the newest are ranked. With a rarer word, the documents with that one are, however old. No list
// is longer than the limit.
func TestFindReadsLittle(t *testing.T) {
	t.Parallel()
	documents := map[string][]string{"00000/old": {"sea gull 東京都"}, "00001/long": {"gull gull x x x x x x x x"}}
	for i := range MaxDocuments + 10 {
		documents[fmt.Sprintf("%05d/x", i+10)] = []string{"sea air 東京 京都"}
	}
	documents["00002/best"] = []string{"sea"} // too old for a common word
	documents["09999/best"] = []string{"sea sea"}
	s := newShelf(documents)
	require.Equal(t, []string{"09999/best"}, s.find(t, "sea", 1))
	require.Equal(t, "09999/best", s.find(t, "sea", MaxDocuments+100)[0])
	require.Len(t, s.find(t, "sea", MaxDocuments+100), MaxDocuments)
	require.NotContains(t, s.find(t, "sea", MaxDocuments+100), "00002/best")
	require.Equal(t, []string{"00000/old"}, s.find(t, "sea gull", 5))
	require.Equal(t, []string{"00000/old"}, s.find(t, "gull sea", 5))
	require.Equal(t, []string{"00000/old"}, s.find(t, "東京都 gull", 5))
	require.Len(t, s.find(t, "sea air", MaxDocuments+100), MaxDocuments-1)
	require.Equal(t, MaxDocuments, s.longest)
}

// The errors of the index and of the texts are returned.
func TestFindFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	s := newShelf(map[string][]string{"1/a": {"sea"}})
	_, err := Find(s, DocumentTranscript, nil, ParseQuery("sea"), 5, func(Document) ([]string, error) { return nil, broken })
	require.ErrorIs(t, err, broken)
	s.err = broken
	_, err = Find(s, DocumentTranscript, nil, ParseQuery("sea"), 5, nil)
	require.ErrorIs(t, err, broken)
}

// After 50 documents that have the pairs of a run but not the run, Find gives up.
func TestFindGivesUp(t *testing.T) {
	t.Parallel()
	for misses, want := range map[int]int{49: 1, 50: 0} {
		documents := map[string][]string{"000/found": {"東京都", strings.Repeat("filler ", 50)}} // the last, because it is long
		for i := range misses {
			documents[fmt.Sprintf("%03d/missed", i+1)] = []string{"京都東京"}
		}
		require.Len(t, newShelf(documents).find(t, "東京都", 5), want, misses)
	}
}

// The best part has most units, then most occurrences, then the lowest number. The match is the first in it.
func TestBestPart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		query, texts string // texts are separated by |
		part, at     int
		snippet      string
	}{
		"most units":        {"sea land", "sea sea sea|a land by the sea|land", 1, 2, "a land by the sea"},
		"most occurrences":  {"sea", "sea|sea sea|sea", 1, 0, "sea sea"},
		"the first":         {"sea", "air|the sea|a sea", 1, 4, "the sea"},
		"part of a word":    {"amour", "c'est l'amour", 0, 6, "c'est l'amour"},
		"other compositing": {"café", "x cafe\u0301", 0, 2, "x cafe\u0301"},
		"ideographs":        {"京都", "東京と京都へ", 0, len("東京と"), "東京と京都へ"},
		"white space":       {"sea", "  sea ", 0, 2, "sea"},
	} {
		texts := strings.Split(c.texts, "|")
		s := newShelf(map[string][]string{"1/a": texts})
		matches, err := Find(s, DocumentTranscript, nil, ParseQuery(c.query), 5, func(Document) ([]string, error) { return texts, nil })
		require.NoError(t, err)
		require.Len(t, matches, 1, name)
		require.Equal(t, []any{c.part, c.at, c.snippet}, []any{matches[0].Part, matches[0].At, matches[0].Snippet}, name)
	}
}

// A snippet has about 160 characters, 40 of them before the match. It is cut between words, if there are any, and never before a mark.
func TestSnippet(t *testing.T) {
	t.Parallel()
	words := func(n int) string { return strings.Repeat("nine char ", n) } // 10 characters each
	ideographs := strings.Repeat("日", 200)
	marks := strings.Repeat("e\u0301", 150)
	for name, c := range map[string]struct{ before, match, after, want string }{
		"160 characters":    {words(8), "sea", strings.Repeat("x", 77), words(8) + "sea" + strings.Repeat("x", 77)},
		"161 characters":    {"", "sea", " " + words(15) + "seven c", "sea " + words(15) + "seven…"},
		"at the beginning":  {"", "sea", " " + words(20), "sea " + words(15) + "nine…"},
		"in the middle":     {words(20), "sea", " " + words(20), "…" + words(4) + "sea " + words(11) + "nine…"},
		"at the end":        {words(20), "sea", "", "…" + strings.TrimPrefix(words(16), "nine ") + "sea"},
		"no words":          {ideographs, "海", ideographs, "…" + ideographs[:40*3] + "海" + ideographs[:119*3] + "…"},
		"marks":             {marks, "海", marks, "…" + marks[:40/2*3] + "海" + marks[:118/2*3] + "…"},
		"a long match":      {"", strings.Repeat("y", 170), " end", strings.Repeat("y", 160) + "…"},
		"no blank after it": {"", "sea", strings.Repeat("z", 170), "sea" + strings.Repeat("z", 157) + "…"},
	} {
		text := c.before + c.match + c.after
		require.Equal(t, c.want, snippet(text, len(c.before), len(c.before)+len(c.match)), name)
	}
}

// Ids of newer rows are greater. The age of a document is what its id begins with.
func TestDocumentID(t *testing.T) {
	t.Parallel()
	require.Equal(t, DocumentID("00000000000000ff/recording/r1"), NewDocumentID(DocumentRecording, 255, "r1"))
	require.Equal(t, DocumentID("0000000000000000/content/o"), NewDocumentID(DocumentContent, -1, "o"))
	require.Less(t, NewDocumentID(DocumentRecording, 9, "a"), NewDocumentID(DocumentContent, 10, "a"))
	require.Equal(t, "00000000000000ff", Document{ID: NewDocumentID(DocumentRecording, 255, "r1")}.age())
}

// IndexTerms counts every occurrence of every term.
func TestIndexTerms(t *testing.T) {
	t.Parallel()
	parts, length := IndexTerms([]string{"Sea, sea!", "", "land sea"})
	require.Equal(t, map[string][]int{"sea": {0, 0, 2}, "land": {2}}, parts)
	require.Equal(t, 4, length)
	parts, length = IndexTerms(nil)
	require.NotNil(t, parts)
	require.Zero(t, length)
}

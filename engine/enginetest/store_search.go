package enginetest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
)

// searchCases returns the claims about the search index.
func searchCases() []storeCase {
	return []storeCase{
		{"a term finds the documents with exactly that term, sorted by id", termsAreExact},
		{"a term can have any script and any length", anyTerm},
		{"a document is found only by its space and kind", spacesAndKinds},
		{"postings return the document and the parts as put, with repeats", partsComeBack},
		{"a term without parts is not indexed", emptyTerm},
		{"putting a document again replaces its terms, space, and kind", replacedDocument},
		{"PatchDocument replaces the document and the given terms only", patchedDocument},
		{"a document without terms is never found", documentWithoutTerms},
		{"a failed update leaves the index unchanged", failedIndexing},
		{"a transaction finds the documents that it indexed", findsOwnDocuments},
		{"changing parts after Put or Postings doesn't change the index", partsAreCopies},
		{"postings are narrowed to the newest documents, and to some documents", narrowedPostings},
	}
}

func newDocument(id string) search.Document {
	return search.Document{ID: search.DocumentID(id), Kind: search.DocumentTranscript, SpaceID: "space", RecordingID: "of " + id, Length: 9}
}

// index commits documents with the same terms.
func index(t *testing.T, s engine.Store, parts map[string][]int, documents ...search.Document) {
	t.Helper()
	write(t, s, func(tx engine.Tx, d search.Document) error { return tx.PutDocument(d, parts) }, documents...)
}

func inOnePart(terms ...string) map[string][]int {
	parts := map[string][]int{}
	for _, term := range terms {
		parts[term] = []int{0}
	}
	return parts
}

func postings(t *testing.T, s engine.Store, term string) []search.Posting {
	t.Helper()
	return findPostings(t, s, search.PostingQuery{Spaces: []string{"space"}, Kind: search.DocumentTranscript, Term: term})
}

func findPostings(t *testing.T, s engine.Store, q search.PostingQuery) []search.Posting {
	t.Helper()
	return read(t, s, func(tx engine.ReadTx) ([]search.Posting, error) { return tx.Postings(q) })
}

// found returns the ids of the documents with a term.
func found(t *testing.T, s engine.Store, term string) []string {
	t.Helper()
	return documentIDs(postings(t, s, term))
}

func documentIDs(list []search.Posting) []string {
	return ids(list, func(p search.Posting) search.DocumentID { return p.Document.ID })
}

func termsAreExact(t *testing.T, s engine.Store) {
	index(t, s, inOnePart("sound", "stage"), newDocument("b"), newDocument("ä"), newDocument("a"), newDocument("B"))
	index(t, s, inOnePart("sounds", "Sound", "sound ", "s%", ""), newDocument("c"))
	index(t, s, inOnePart("soun", "stage"), newDocument("0"))
	for term, want := range map[string][]string{
		"sound": {"B", "a", "b", "ä"}, "stage": {"0", "B", "a", "b", "ä"}, "Sound": {"c"}, "sound ": {"c"}, "soun": {"0"}, "": {"c"}, "s%": {"c"},
		"sou": {}, "s_": {}, "SOUND": {}, "sound*": {}, " sound": {}, "never": {},
	} {
		require.Equal(t, want, found(t, s, term), "term %q", term)
	}
}

func patchedDocument(t *testing.T, s engine.Store) {
	index(t, s, map[string][]int{"kept": {0, 3}, "changed": {1}, "gone": {2}, "empty": {2}}, newDocument("d"))
	index(t, s, inOnePart("gone", "changed"), newDocument("other"))
	d := newDocument("d")
	d.Length = 77
	parts := map[string][]int{"changed": {1, 2}, "gone": nil, "empty": {}, "new": {0, 0}, "never": nil}
	update(t, s, func(tx engine.Tx) error { return tx.PatchDocument(d, parts) })
	require.Len(t, parts, 5, "the argument was changed")
	for term, want := range map[string][]int{"kept": {0, 3}, "changed": {1, 2}, "new": {0, 0}} {
		require.Equal(t, search.Posting{Document: d, Parts: want}, postings(t, s, term)[0], term)
	}
	for term, want := range map[string][]string{"gone": {"other"}, "changed": {"d", "other"}, "empty": {}, "never": {}} {
		require.Equal(t, want, found(t, s, term), term)
	}
	update(t, s, func(tx engine.Tx) error { return tx.PatchDocument(newDocument("fresh"), inOnePart("kept")) })
	require.Equal(t, []string{"d", "fresh"}, found(t, s, "kept"))
}

func anyTerm(t *testing.T, s engine.Store) {
	terms := []string{
		"straße", "strasse", "日本", "本語", "日", "안녕", "зло", "ελλάδα", "हिन्दी", "العربية", "é", "e\u0301", "👩🏽‍🚀", "ı", "i", "a\x00b", "a\x00c", "a",
		"\xff", "\xfe", sampleText, strings.Repeat("a", 100_000), strings.Repeat("a", 100_001), strings.Repeat("字", 5000), "'; DROP TABLE postings; --",
	}
	for i, term := range terms {
		index(t, s, inOnePart(term), newDocument(fmt.Sprintf("d%02d", i)))
	}
	index(t, s, inOnePart(terms...), newDocument("all"))
	for i, term := range terms {
		require.Equal(t, []string{"all", fmt.Sprintf("d%02d", i)}, found(t, s, term), "term %.40q", term)
	}
}

func spacesAndKinds(t *testing.T, s engine.Store) {
	kinds := []search.DocumentKind{search.DocumentTranscript, search.DocumentRecording, search.DocumentContent}
	for _, space := range []string{"one", "two", "three", ""} {
		for _, kind := range kinds {
			d := newDocument(fmt.Sprintf("%s %s", kind, space))
			d.Kind, d.SpaceID = kind, space
			index(t, s, inOnePart("term"), d)
		}
	}
	for _, kind := range kinds {
		for _, c := range []struct {
			spaces []string
			want   []string
		}{
			{nil, []string{}},
			{[]string{}, []string{}},
			{[]string{"unknown"}, []string{}},
			{[]string{"two"}, []string{"two"}},
			{[]string{"two", "unknown", "one", "two"}, []string{"one", "two"}},
			{[]string{""}, []string{""}},
		} {
			for i := range c.want {
				c.want[i] = fmt.Sprintf("%s %s", kind, c.want[i])
			}
			q := search.PostingQuery{Spaces: c.spaces, Kind: kind, Term: "term"}
			require.Equal(t, c.want, documentIDs(findPostings(t, s, q)), "%s in %q", kind, c.spaces)
		}
	}
	require.Empty(t, findPostings(t, s, search.PostingQuery{Spaces: []string{"one"}, Kind: "unknown", Term: "term"}))
}

// A query with a limit returns the newest documents. One with documents returns only these.
func narrowedPostings(t *testing.T, s engine.Store) {
	for _, id := range []string{"3", "1", "5", "2", "4"} {
		d := newDocument(id)
		index(t, s, inOnePart("term"), d)
		d.ID, d.SpaceID = search.DocumentID(id+" elsewhere"), "elsewhere"
		index(t, s, inOnePart("term"), d)
	}
	for name, c := range map[string]struct {
		documents []search.DocumentID
		limit     int
		want      []string
	}{
		"all":                 {nil, 0, []string{"1", "2", "3", "4", "5"}},
		"a limit":             {nil, 2, []string{"4", "5"}},
		"a limit above all":   {nil, 9, []string{"1", "2", "3", "4", "5"}},
		"documents":           {[]search.DocumentID{"2", "3 elsewhere", "4", "7"}, 0, []string{"2", "4"}},
		"documents and limit": {[]search.DocumentID{"1", "2", "4"}, 2, []string{"2", "4"}},
		"no documents":        {[]search.DocumentID{}, 0, []string{}},
	} {
		q := search.PostingQuery{Spaces: []string{"space", "space"}, Kind: search.DocumentTranscript, Term: "term", Documents: c.documents, Limit: c.limit}
		require.Equal(t, c.want, documentIDs(findPostings(t, s, q)), name)
	}
}

func partsComeBack(t *testing.T, s engine.Store) {
	parts := map[string][]int{
		"first": {0}, "often": {3, 3, 3, 4, 4, 1000, 1000}, "edges": {0, 127, 128, 255, 256, 16_383, 16_384, 1 << 30, math.MaxInt32, math.MaxInt32},
		"every": {},
	}
	for i := range 10_000 {
		parts["every"] = append(parts["every"], i, i)
	}
	d := newDocument("d")
	d.Kind, d.OutputID, d.Length = search.DocumentContent, "output", math.MaxInt32
	index(t, s, parts, d)
	for term, want := range parts {
		got := findPostings(t, s, search.PostingQuery{Spaces: []string{"space"}, Kind: search.DocumentContent, Term: term})
		require.Len(t, got, 1, term)
		require.Equal(t, d, got[0].Document, term)
		require.True(t, slices.Equal(want, got[0].Parts), "the parts of %q changed", term) // require.Equal takes 12 s to show how 20,000 differ
	}
}

func emptyTerm(t *testing.T, s engine.Store) {
	index(t, s, map[string][]int{"none": {}, "nil": nil, "one": {7}}, newDocument("d"))
	require.Empty(t, found(t, s, "none"))
	require.Empty(t, found(t, s, "nil"))
	require.Equal(t, []string{"d"}, found(t, s, "one"))
}

func replacedDocument(t *testing.T, s engine.Store) {
	d := newDocument("d")
	index(t, s, inOnePart("stays", "goes"), d, newDocument("other"))
	d.RecordingID, d.Length = "another", 2
	index(t, s, map[string][]int{"stays": {4, 5}, "comes": {6}}, d)
	require.Equal(t, []string{"other"}, found(t, s, "goes"))
	require.Equal(t, []search.Posting{{Document: d, Parts: []int{4, 5}}, {Document: newDocument("other"), Parts: []int{0}}}, postings(t, s, "stays"))
	require.Equal(t, []search.Posting{{Document: d, Parts: []int{6}}}, postings(t, s, "comes"))

	d.SpaceID, d.Kind = "elsewhere", search.DocumentRecording
	index(t, s, inOnePart("stays"), d)
	require.Equal(t, []string{"other"}, found(t, s, "stays"))
	require.Empty(t, found(t, s, "comes"))
	moved := findPostings(t, s, search.PostingQuery{Spaces: []string{"elsewhere"}, Kind: d.Kind, Term: "stays"})
	require.Equal(t, []search.Posting{{Document: d, Parts: []int{0}}}, moved)
}

func documentWithoutTerms(t *testing.T, s engine.Store) {
	index(t, s, inOnePart("a", "b"), newDocument("d"))
	index(t, s, nil, newDocument("d"), newDocument("never had one"))
	require.Empty(t, found(t, s, "a"))
	require.Empty(t, found(t, s, "b"))
	index(t, s, inOnePart("b"), newDocument("d"))
	require.Equal(t, []string{"d"}, found(t, s, "b"))
}

func failedIndexing(t *testing.T, s engine.Store) {
	index(t, s, inOnePart("a", "b"), newDocument("d"), newDocument("e"))
	look := func() map[string][]search.Posting {
		m := map[string][]search.Posting{}
		for _, term := range []string{"a", "b", "c"} {
			m[term], _ = orNil(postings(t, s, term), nil)
		}
		return m
	}
	before := look()
	for range 2 { // a rolled back update can be repeated
		err := s.Update(t.Context(), func(tx engine.Tx) error {
			moved := newDocument("d")
			moved.SpaceID = "elsewhere"
			return errors.Join(
				tx.PutDocument(newDocument("d"), map[string][]int{"b": {1, 2}, "c": {3}}), tx.PutDocument(newDocument("e"), nil),
				tx.PutDocument(moved, inOnePart("a", "c")), tx.PutDocument(newDocument("new"), inOnePart("a", "c")), errTest,
			)
		})
		require.ErrorIs(t, err, errTest)
		require.Equal(t, before, look())
	}
	index(t, s, inOnePart("c"), newDocument("d"))
	require.Equal(t, []string{"e"}, found(t, s, "a"))
}

func findsOwnDocuments(t *testing.T, s engine.Store) {
	index(t, s, inOnePart("old"), newDocument("d"))
	update(t, s, func(tx engine.Tx) error {
		if err := errors.Join(tx.PutDocument(newDocument("d"), inOnePart("new")), tx.PutDocument(newDocument("c"), inOnePart("new"))); err != nil {
			return err
		}
		for term, want := range map[string][]string{"old": {}, "new": {"c", "d"}} {
			list, err := tx.Postings(search.PostingQuery{Spaces: []string{"space"}, Kind: search.DocumentTranscript, Term: term})
			if err != nil {
				return err
			}
			require.Equal(t, want, documentIDs(list))
		}
		return nil
	})
}

func partsAreCopies(t *testing.T, s engine.Store) {
	parts := map[string][]int{"a": {1, 2}, "b": {3}}
	index(t, s, parts, newDocument("d"))
	parts["a"][0], parts["c"] = 9, []int{9}
	delete(parts, "b")
	for range 2 {
		list := postings(t, s, "a")
		require.Equal(t, []int{1, 2}, list[0].Parts)
		list[0].Parts[0] = 9
		_ = append(list[0].Parts, 9) // must not overwrite the parts of another term
		require.Equal(t, []int{3}, postings(t, s, "b")[0].Parts)
		require.Empty(t, found(t, s, "c"))
	}
}

package sqlite_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// Parts less than 128 apart take one byte per occurrence. Unsorted parts are preserved too.
func TestParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		parts []int
		size  int // bytes
	}{
		{[]int{}, 0}, {[]int{127}, 1}, {[]int{128}, 2}, {[]int{0, 1, 1, 128, 255}, 5}, {[]int{128, 256}, 4}, {[]int{math.MaxInt}, 9},
		{[]int{-1}, 10}, {[]int{7, 6}, 11}, {[]int{math.MinInt, math.MaxInt, math.MinInt + 1}, 21},
	} {
		b := sqlite.EncodeParts(c.parts)
		require.Len(t, b, c.size, "%v", c.parts)
		got, err := sqlite.DecodeParts(b)
		require.NoError(t, err)
		require.Equal(t, c.parts, got)
	}
}

// A truncated or oversized number is an error.
func TestBrokenParts(t *testing.T) {
	t.Parallel()
	for _, b := range [][]byte{{0x80}, {0, 1, 0xff}, append(slices.Repeat([]byte{0xff}, 10), 1)} {
		_, err := sqlite.DecodeParts(b)
		require.ErrorContains(t, err, "parts are corrupt")
	}
	s := open(t)
	update(t, s, func(tx engine.Tx) error {
		return tx.PutDocument(search.Document{ID: "d", Kind: search.DocumentRecording, SpaceID: "s"}, map[string][]int{"term": {0}})
	})
	require.NoError(t, s.Exec("UPDATE postings SET parts = x'80'"))
	err := s.View(t.Context(), func(tx engine.ReadTx) error {
		_, err := tx.Postings(search.PostingQuery{Spaces: []string{"s"}, Kind: search.DocumentRecording, Term: "term"})
		return err
	})
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	require.ErrorContains(t, err, "the row term 2 1 of the table postings is damaged")
}

// A document of an unknown kind fails the whole transaction.
func TestUnknownKindOfDocument(t *testing.T) {
	t.Parallel()
	s := open(t)
	err := s.Update(t.Context(), func(tx engine.Tx) error {
		_ = tx.PutDocument(search.Document{ID: "d", Kind: "poem"}, nil)
		return tx.PutUser(user("u"))
	})
	require.Equal(t, engine.CodeInternal, engine.CodeOf(err))
	require.ErrorContains(t, err, `"poem"`)
	require.False(t, hasUser(t, s, "u"))
}

// Reindexing a document leaves no old postings.
func TestPostingsAreReplaced(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := openAt(t, path)
	for range 3 {
		for _, term := range []string{"a", "b", "c"} {
			update(t, s, func(tx engine.Tx) error {
				return tx.PutDocument(search.Document{ID: "d", Kind: search.DocumentContent}, map[string][]int{term: {0}, "all": {1}})
			})
			require.Equal(t, []string{term, "all"}, queryFile(t, path, "SELECT term FROM postings ORDER BY length(term)"))
			require.Len(t, queryFile(t, path, "SELECT key FROM documents"), 1)
		}
	}
}

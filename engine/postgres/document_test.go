package postgres_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
)

// A term that other spaces have very often is read in the newest documents of the own spaces, with the same result.
func TestPostingsOfCommonTerm(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.NoError(t, s.Update(t.Context(), func(tx engine.Tx) error {
		for i := range 40 {
			d := search.Document{ID: search.DocumentID(fmt.Sprintf("%02d", i*7%40)), Kind: search.DocumentTranscript, SpaceID: fmt.Sprint("space", i%2), Length: i}
			if err := tx.PutDocument(d, map[string][]int{"term": {i}, fmt.Sprint("term", i%4): {1}}); err != nil {
				return err
			}
		}
		return nil
	}))
	find := func(limit int) (found []search.Posting) {
		require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) (err error) {
			found, err = tx.Postings(search.PostingQuery{Spaces: []string{"space1", "space0", "space1"}, Kind: search.DocumentTranscript, Term: "term", Limit: limit})
			return err
		}))
		return found
	}
	few, all := find(5), find(100)
	require.Len(t, few, 5)
	require.Len(t, all, 40)
	require.Equal(t, all[35:], few)
	require.NoError(t, s.Exec(t.Context(), `WITH added AS (
		INSERT INTO documents (id, space_id, recording_id, output_id, length) SELECT 'x' || i, 'elsewhere', '', '', 1 FROM generate_series(1, 10001) AS i RETURNING key
	) INSERT INTO postings SELECT 'term', (SELECT min(kind) FROM postings), key, (SELECT parts FROM postings LIMIT 1) FROM added`))
	require.Equal(t, few, find(5))
	require.Equal(t, all, find(100))
}

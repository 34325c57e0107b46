package sqlite_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Pages of any number of spaces, with and without a title, equal those of the memory store.
func TestPages(t *testing.T) {
	t.Parallel()
	const spaces, rows = 2*sqlite.MaxArms + 3, 600
	stores := map[string]engine.Store{"sqlite": open(t), "memory": memory.NewStore()}
	for _, s := range stores {
		update(t, s, func(tx engine.Tx) error {
			for i := range rows {
				if err := tx.PutRecording(recording(fmt.Sprint(i*i%spaces), i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for _, n := range []int{0, 1, 2, 3, 5, sqlite.MaxArms, sqlite.MaxArms + 1, spaces} {
		for _, title := range []string{"", transcript.Fold("EPISODE 1"), "no such title"} {
			q := engine.RecordingQuery{Title: title, Limit: 37, Spaces: []engine.SpaceID{"0", "nowhere"}} // "0" appears twice
			for i := range n {
				q.Spaces = append(q.Spaces, engine.SpaceID(fmt.Sprint(i)))
			}
			require.Equal(t, walk(t, stores["memory"], q), walk(t, stores["sqlite"], q), "%d spaces, %q", n, title)
		}
	}
}

// walk returns every page of a query.
func walk(t *testing.T, s engine.Store, q engine.RecordingQuery) (pages [][]engine.Recording) {
	for {
		var page []engine.Recording
		require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) (err error) {
			page, err = tx.Recordings(q)
			return err
		}))
		pages = append(pages, page)
		if len(page) < q.Limit {
			return pages
		}
		last := page[len(page)-1]
		q.After = &cursor.Position{CreatedAt: last.CreatedAt, ID: string(last.ID)}
	}
}

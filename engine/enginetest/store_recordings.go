package enginetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// recordingCases returns the claims about listing recordings.
func recordingCases() []storeCase {
	return []storeCase{
		{"no spaces or unknown spaces have no recordings", recordingsOfNone},
		{"recordings are listed newest first, then by id, descending", recordingsInOrder},
		{"recordings are sorted with microsecond precision", recordingsByMicrosecond},
		{"a space given twice counts once", spaceTwice},
		{"pages of any size list every recording exactly once", pagesAreWhole},
		{"pages list every recording once while newer recordings arrive", pagesWhileInserting},
		{"a page begins after its position, even if no row is at it", pageAfterNothing},
		{"a recording with a changed space, time, or title is listed by the new values", recordingsMove},
	}
}

func newRecording(id string, space engine.SpaceID, created time.Time) engine.Recording {
	return engine.Recording{ID: engine.RecordingID(id), SpaceID: space, TranscriptStatus: engine.TranscriptQueued, CreatedAt: created}
}

// numbered gives each recording a unique number, which a store may rely on.
func numbered(rows []engine.Recording) []engine.Recording {
	for i := range rows {
		rows[i].Number = i + 1
	}
	return rows
}

func listRecordings(t *testing.T, s engine.Store, q engine.RecordingQuery) []engine.Recording {
	t.Helper()
	return read(t, s, func(tx engine.ReadTx) ([]engine.Recording, error) { return tx.Recordings(q) })
}

func recordingIDs(t *testing.T, s engine.Store, q engine.RecordingQuery) []string {
	t.Helper()
	return ids(listRecordings(t, s, q), func(r engine.Recording) engine.RecordingID { return r.ID })
}

func after(r engine.Recording) *cursor.Position {
	return &cursor.Position{CreatedAt: r.CreatedAt, ID: string(r.ID)}
}

func recordingsOfNone(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutRecording, numbered([]engine.Recording{newRecording("a", "space", at(0)), newRecording("b", "", at(1))})...)
	require.Empty(t, listRecordings(t, s, engine.RecordingQuery{Limit: 10}))
	require.Empty(t, listRecordings(t, s, engine.RecordingQuery{Spaces: []engine.SpaceID{}, Limit: 10}))
	require.Empty(t, listRecordings(t, s, engine.RecordingQuery{Spaces: []engine.SpaceID{"unknown"}, Limit: 10}))
}

func recordingsInOrder(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutRecording, numbered([]engine.Recording{
		newRecording("b", "one", at(0)), newRecording("a", "one", at(0)), newRecording("c", "two", at(0)), newRecording("d", "one", at(5)),
		newRecording("e", "two", at(-5)), newRecording("B", "two", at(0)), newRecording("x", "three", at(1)), newRecording("ä", "one", at(0)),
	})...)
	q := engine.RecordingQuery{Spaces: []engine.SpaceID{"two", "one"}, Limit: 10}
	require.Equal(t, []string{"d", "ä", "c", "b", "a", "B", "e"}, recordingIDs(t, s, q))
	q.Limit = 3
	require.Equal(t, []string{"d", "ä", "c"}, recordingIDs(t, s, q))
	q.Spaces = q.Spaces[:1]
	require.Equal(t, []string{"c", "B", "e"}, recordingIDs(t, s, q))
}

func recordingsByMicrosecond(t *testing.T, s engine.Store) {
	us := time.Microsecond
	write(t, s, engine.Tx.PutRecording, numbered([]engine.Recording{
		newRecording("c", "space", at(0)), newRecording("a", "space", at(0).Add(2*us)), newRecording("b", "space", at(0).Add(us)),
	})...)
	q := engine.RecordingQuery{Spaces: []engine.SpaceID{"space"}, Limit: 10}
	require.Equal(t, []string{"a", "b", "c"}, recordingIDs(t, s, q))
	q.After = &cursor.Position{CreatedAt: at(0).Add(us), ID: "b"}
	require.Equal(t, []string{"c"}, recordingIDs(t, s, q))
}

func spaceTwice(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutRecording, newRecording("a", "space", at(0)))
	require.Equal(t, []string{"a"}, recordingIDs(t, s, engine.RecordingQuery{Spaces: []engine.SpaceID{"space", "space"}, Limit: 10}))
}

// manyRecordings writes 60 recordings to three spaces, many with equal times. It returns those of the first two spaces in the
// order of a list.
func manyRecordings(t *testing.T, s engine.Store) []engine.Recording {
	t.Helper()
	var all []engine.Recording
	for i := range 60 {
		space := engine.SpaceID([]string{"one", "two", "three"}[i%3])
		all = append(all, newRecording(fmt.Sprintf("r%02d", i*37%60), space, at(i*7%5)))
	}
	write(t, s, engine.Tx.PutRecording, numbered(all)...)
	all = slices.DeleteFunc(all, func(r engine.Recording) bool { return r.SpaceID == "three" })
	slices.SortFunc(all, func(a, b engine.Recording) int {
		if d := b.CreatedAt.Compare(a.CreatedAt); d != 0 {
			return d
		}
		if a.ID > b.ID {
			return -1
		}
		return 1
	})
	return all
}

// walk returns the ids of all pages. It calls between after each page.
func walk(t *testing.T, s engine.Store, limit int, between func(page int)) (seen []string) {
	t.Helper()
	q := engine.RecordingQuery{Spaces: []engine.SpaceID{"one", "two"}, Limit: limit}
	for page := 0; ; page++ {
		rows := listRecordings(t, s, q)
		require.LessOrEqual(t, len(rows), limit)
		require.LessOrEqual(t, page, 60, "the pages don't end")
		if len(rows) == 0 {
			return seen
		}
		seen = append(seen, ids(rows, func(r engine.Recording) engine.RecordingID { return r.ID })...)
		q.After = after(rows[len(rows)-1])
		between(page)
	}
}

func pagesAreWhole(t *testing.T, s engine.Store) {
	want := ids(manyRecordings(t, s), func(r engine.Recording) engine.RecordingID { return r.ID })
	for _, limit := range []int{1, 3, 7, 39, 40, 41, 1000} {
		require.Equal(t, want, walk(t, s, limit, func(int) {}), "pages of %d", limit)
	}
}

func pagesWhileInserting(t *testing.T, s engine.Store) {
	want := ids(manyRecordings(t, s), func(r engine.Recording) engine.RecordingID { return r.ID })
	require.Equal(t, want, walk(t, s, 7, func(page int) {
		r := newRecording(fmt.Sprintf("new%d", page), "one", at(100+page))
		r.Number = 1000 + page
		write(t, s, engine.Tx.PutRecording, r)
	}))
}

func pageAfterNothing(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutRecording, numbered([]engine.Recording{
		newRecording("b", "space", at(0)), newRecording("d", "space", at(0)), newRecording("f", "space", at(0)),
		newRecording("new", "space", at(9)), newRecording("old", "space", at(-9)),
	})...)
	for _, c := range []struct {
		created time.Time
		id      string
		want    []string
	}{
		{at(10), "", []string{"new", "f", "d", "b", "old"}},
		{at(0), "z", []string{"f", "d", "b", "old"}},
		{at(0), "e", []string{"d", "b", "old"}},
		{at(0), "d", []string{"b", "old"}},
		{at(0), "", []string{"old"}},
		{at(-5), "zzz", []string{"old"}},
		{at(-9), "old", []string{}},
		{time.Time{}, "", []string{}},
	} {
		q := engine.RecordingQuery{Spaces: []engine.SpaceID{"space"}, Limit: 10, After: &cursor.Position{CreatedAt: c.created, ID: c.id}}
		require.Equal(t, c.want, recordingIDs(t, s, q), "after %v %q", c.created, c.id)
	}
}

func recordingsMove(t *testing.T, s engine.Store) {
	r := newRecording("r", "one", at(1))
	r.Number, r.Title = 1, "before"
	write(t, s, engine.Tx.PutRecording, r, engine.Recording{
		ID: "s", SpaceID: "two", Number: 9, TranscriptStatus: engine.TranscriptQueued, CreatedAt: at(2),
	})
	r.SpaceID, r.CreatedAt, r.Title = "two", at(3), "after"
	write(t, s, engine.Tx.PutRecording, r)
	one, two := []engine.SpaceID{"one"}, []engine.SpaceID{"two"}
	require.Empty(t, recordingIDs(t, s, engine.RecordingQuery{Spaces: one, Limit: 10}))
	require.Equal(t, []string{"r", "s"}, recordingIDs(t, s, engine.RecordingQuery{Spaces: two, Limit: 10}))
	require.Equal(t, []string{"r"}, recordingIDs(t, s, engine.RecordingQuery{Spaces: two, Title: transcript.Fold("after"), Limit: 10}))
	require.Empty(t, recordingIDs(t, s, engine.RecordingQuery{Spaces: two, Title: transcript.Fold("before"), Limit: 10}))
}

package enginetest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// operatorCases returns the claims about what operators ask: lists of all jobs, and counts by status.
func operatorCases() []storeCase {
	return []storeCase{
		{"jobs are listed newest first, in any status, then by id, descending", jobsInOrder},
		{"jobs are listed by status, kind, class, and ref, and all that is given must match", jobsSelected},
		{"pages of any size list every job exactly once while newer jobs arrive", jobPages},
		{"a page of jobs begins after its position, even if no job is at it", jobsAfterNothing},
		{"recordings of all spaces are listed newest first, by status, page by page", allRecordings},
		{"deliveries of all webhooks are listed newest first, by status, page by page", allDeliveries},
		{"rows are counted by status", countsByStatus},
	}
}

func createdAt(j queue.Job, when time.Time) queue.Job { j.CreatedAt = when; return j }

func jobIDs(t *testing.T, s engine.Store, q engine.JobQuery) []string {
	t.Helper()
	jobs := read(t, s, func(tx engine.ReadTx) ([]queue.Job, error) { return tx.Jobs(q) })
	return ids(jobs, func(j queue.Job) queue.ID { return j.ID })
}

func jobsInOrder(t *testing.T, s engine.Store) {
	require.Empty(t, jobIDs(t, s, engine.JobQuery{Limit: 10}))
	write(t, s, engine.Tx.PutJob,
		createdAt(newJob("b"), at(0)), createdAt(newJob("a"), at(0)), createdAt(withStatus(newJob("done"), queue.Completed), at(3)),
		createdAt(withStatus(newJob("runs"), queue.Running), at(2)), createdAt(withStatus(newJob("failed"), queue.Failed), at(-4)),
		createdAt(newJob("µs"), at(0).Add(time.Microsecond)), createdAt(newJob("B"), at(0)),
	)
	require.Equal(t, []string{"done", "runs", "µs", "b", "a", "B", "failed"}, jobIDs(t, s, engine.JobQuery{Limit: 10}))
	require.Equal(t, []string{"done", "runs"}, jobIDs(t, s, engine.JobQuery{Limit: 2}))
	whole := read(t, s, func(tx engine.ReadTx) ([]queue.Job, error) { return tx.Jobs(engine.JobQuery{Limit: 2}) })
	require.Equal(t, createdAt(withStatus(newJob("runs"), queue.Running), at(2)), whole[1])
	update(t, s, func(tx engine.Tx) error { return tx.DeleteJob("done") })
	require.Equal(t, []string{"runs"}, jobIDs(t, s, engine.JobQuery{Limit: 1}))
}

func jobsSelected(t *testing.T, s engine.Store) {
	job := func(id string, kind queue.Kind, class queue.Class, ref string, status queue.Status) queue.Job {
		j := withStatus(newJob(id), status)
		j.Kind, j.Class, j.Ref = kind, class, ref
		return j
	}
	write(t, s, engine.Tx.PutJob,
		job("a", "one", "x", "r", queue.Queued), job("b", "two", "x", "r/1", queue.Running), job("c", "one", "y", "r0", queue.Failed),
		job("d", "three", "y", "s", queue.Failed), job("e", "two", "z", "r.", queue.Completed),
	)
	for want, q := range map[string]engine.JobQuery{
		"[e d c b a]": {},
		"[d c a]":     {Statuses: []queue.Status{queue.Failed, queue.Queued}},
		"[e c b a]":   {Kinds: []queue.Kind{"one", "two"}},
		"[b a]":       {Refs: []string{"r"}},
		"[d b a]":     {Refs: []string{"r", "s", "t"}},
		"[d c]":       {Classes: []queue.Class{"y"}},
		"[c]":         {Classes: []queue.Class{"y", "x"}, Kinds: []queue.Kind{"one"}, Statuses: []queue.Status{queue.Failed}},
		"[]":          {Refs: []string{"r\x00", "\xff", "'"}},
	} {
		q.Limit = 10
		require.Equal(t, want, fmt.Sprint(jobIDs(t, s, q)), "%+v", q)
	}
	require.Equal(t, []string{"d"}, jobIDs(t, s, engine.JobQuery{Statuses: []queue.Status{queue.Failed}, Limit: 1}))
	require.Empty(t, jobIDs(t, s, engine.JobQuery{Kinds: []queue.Kind{"none"}, Limit: 10}))
}

func jobPages(t *testing.T, s engine.Store) {
	var all []queue.Job
	for i := range 40 {
		j := createdAt(newJob(fmt.Sprintf("j%02d", i*37%40)), at(i*7%5))
		if i%4 == 0 {
			j = withStatus(j, queue.Completed)
		}
		all = append(all, j)
	}
	write(t, s, engine.Tx.PutJob, all...)
	slices.SortFunc(all, func(a, b queue.Job) int {
		if d := b.CreatedAt.Compare(a.CreatedAt); d != 0 {
			return d
		}
		return cmp.Compare(b.ID, a.ID)
	})
	want := ids(all, func(j queue.Job) queue.ID { return j.ID })
	for _, limit := range []int{1, 7, 39, 40, 41} {
		q, seen := engine.JobQuery{Limit: limit}, []string{}
		for page := 0; ; page++ {
			require.LessOrEqual(t, page, 41, "the pages don't end")
			found := read(t, s, func(tx engine.ReadTx) ([]queue.Job, error) { return tx.Jobs(q) })
			require.LessOrEqual(t, len(found), limit)
			if len(found) == 0 {
				break
			}
			seen = append(seen, ids(found, func(j queue.Job) queue.ID { return j.ID })...)
			last := found[len(found)-1]
			q.After = &cursor.Position{CreatedAt: last.CreatedAt, ID: string(last.ID)}
			write(t, s, engine.Tx.PutJob, createdAt(newJob(fmt.Sprintf("new %d %d", limit, page)), at(100)))
		}
		seen = slices.DeleteFunc(seen, func(id string) bool { return id[0] == 'n' }) // of earlier limits
		require.Equal(t, want, seen, "pages of %d", limit)
	}
}

func jobsAfterNothing(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutJob, createdAt(newJob("b"), at(0)), createdAt(newJob("d"), at(0)), createdAt(newJob("new"), at(9)), createdAt(newJob("old"), at(-9)))
	for _, c := range []struct {
		created time.Time
		id      string
		want    []string
	}{
		{at(10), "", []string{"new", "d", "b", "old"}},
		{at(0), "c", []string{"b", "old"}},
		{at(0), "d", []string{"b", "old"}},
		{at(-5), "zzz", []string{"old"}},
		{at(-9), "old", []string{}},
		{time.Time{}, "", []string{}},
	} {
		require.Equal(t, c.want, jobIDs(t, s, engine.JobQuery{Limit: 10, After: &cursor.Position{CreatedAt: c.created, ID: c.id}}), "after %v %q", c.created, c.id)
	}
}

func allRecordings(t *testing.T, s engine.Store) {
	var rows []engine.Recording
	for i := range 20 {
		r := newRecording(fmt.Sprintf("r%02d", i*7%20), engine.SpaceID(fmt.Sprintf("space %d", i%3)), at(i*7%4))
		r.TranscriptStatus = []engine.TranscriptStatus{engine.TranscriptQueued, engine.TranscriptProcessing, engine.TranscriptCompleted, engine.TranscriptError}[i%4]
		rows = append(rows, r)
	}
	status := func(r engine.Recording) engine.TranscriptStatus { return r.TranscriptStatus }
	position := func(r engine.Recording) cursor.Position {
		return cursor.Position{CreatedAt: r.CreatedAt, ID: string(r.ID)}
	}
	requireStatusPages(t, s, engine.ReadTx.AllRecordings, status, position, nil)
	write(t, s, engine.Tx.PutRecording, numbered(rows)...)
	requireStatusPages(t, s, engine.ReadTx.AllRecordings, status, position, rows)
}

func allDeliveries(t *testing.T, s engine.Store) {
	var rows []engine.Delivery
	for i := range 20 {
		d := newDelivery(fmt.Sprintf("d%02d", i*7%20), engine.WebhookID(fmt.Sprintf("hook %d", i%3)), i*7%4)
		d.Status = []engine.DeliveryStatus{engine.DeliveryPending, engine.DeliveryRetrying, engine.DeliveryDelivered, engine.DeliveryFailed}[i%4]
		d.UpdatedAt, d.Body, d.Attempts = at(-i), []byte(`{}`), []engine.Attempt{{At: at(i), Request: map[string]string{"a": "b"}, Status: 500, Response: "no"}}
		rows = append(rows, d)
	}
	status := func(d engine.Delivery) engine.DeliveryStatus { return d.Status }
	position := func(d engine.Delivery) cursor.Position {
		return cursor.Position{CreatedAt: d.CreatedAt, ID: string(d.ID)}
	}
	requireStatusPages(t, s, engine.ReadTx.AllDeliveries, status, position, nil)
	write(t, s, engine.Tx.PutDelivery, rows...)
	requireStatusPages(t, s, engine.ReadTx.AllDeliveries, status, position, rows)
}

// requireStatusPages fails the test unless pages of any size list the rows whole and in order: all of them, and those of some statuses.
func requireStatusPages[S ~string, R any](
	t *testing.T, s engine.Store, list func(engine.ReadTx, engine.StatusQuery[S]) ([]R, error), status func(R) S, position func(R) cursor.Position, rows []R,
) {
	t.Helper()
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b R) int {
		return cmp.Or(position(b).CreatedAt.Compare(position(a).CreatedAt), cmp.Compare(position(b).ID, position(a).ID))
	})
	of := func(statuses ...S) (want []R) {
		for _, r := range rows {
			if len(statuses) == 0 || slices.Contains(statuses, status(r)) {
				want = append(want, r)
			}
		}
		return want
	}
	queries := [][]S{nil, {"none", "'", "\x00"}}
	if len(rows) > 0 {
		queries = append(queries, []S{status(rows[0])}, []S{status(rows[1]), status(rows[0]), "none"})
	}
	for _, statuses := range queries {
		want := of(statuses...)
		for _, limit := range []int{1, 7, 20, 21} {
			var seen []R
			q := engine.StatusQuery[S]{Statuses: statuses, Limit: limit}
			for range len(rows) + 1 {
				page := read(t, s, func(tx engine.ReadTx) ([]R, error) { return list(tx, q) })
				require.LessOrEqual(t, len(page), limit)
				if seen = append(seen, page...); len(page) == 0 {
					break
				}
				last := position(page[len(page)-1])
				q.After = &last
			}
			require.Equal(t, want, seen, "%v, pages of %d", statuses, limit)
		}
	}
}

func countsByStatus(t *testing.T, s engine.Store) {
	counting, ok := s.(engine.StatusCountingStore)
	if !ok {
		return // StatusCountingStore is optional
	}
	nouns := []string{"chats", "deliveries", "imports", "jobs", "outputs", "recordings", "renders", "transcripts", "uploads", "webhooks"}
	got, err := counting.CountsByStatus(t.Context())
	require.NoError(t, err)
	for _, noun := range nouns {
		require.Empty(t, got[noun], noun)
	}
	update(t, s, writeAll)
	write(t, s, engine.Tx.PutJob, newJob("waits"), withStatus(newJob("failed"), queue.Failed), withStatus(newJob("done"), queue.Completed), withStatus(newJob("over"), queue.Completed))
	got, err = counting.CountsByStatus(t.Context())
	require.NoError(t, err)
	for _, noun := range nouns {
		require.NotEmpty(t, got[noun], noun)
	}
	require.Len(t, got, len(nouns))
	require.Equal(t, map[string]int{"": 1}, got["recordings"])
	require.Equal(t, 1, got["jobs"]["failed"])
	require.Equal(t, 2, got["jobs"]["completed"])
	write(t, s, engine.Tx.PutJob, withStatus(newJob("waits"), queue.Canceled))
	got, err = counting.CountsByStatus(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, got["jobs"]["canceled"])
}

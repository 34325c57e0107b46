package enginetest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/search"
)

// transactionCases returns the claims about the atomicity of Update.
func transactionCases() []storeCase {
	return []storeCase{
		{"a failed update writes nothing and returns the error", failedUpdate},
		{"a panicking update writes nothing and leaves the store usable", panickedUpdate},
		{"a failed update leaves every row and list unchanged", failedReplacement},
		{"a failed update enqueues no job", failedEnqueue},
		{"an update doesn't start when its context has ended", canceledBefore},
		{"an update whose context ends during it is committed completely or not at all", canceledDuring},
		{"an update that fails after its context ended writes nothing", canceledAndFailed},
		{"a transaction can't be used after it ends", usedAfterEnd},
		{"a view cannot write", viewIsReadOnly},
		{"View returns the error of its function", failedView},
		{"Counts returns the number of rows, and of unfinished jobs", counts},
	}
}

var errTest = errors.New("enginetest: on purpose")

// writeAll writes the whole sample of each noun.
func writeAll(tx engine.Tx) error {
	for _, r := range rows() {
		if err := r.put(tx, r.whole); err != nil {
			return err
		}
	}
	return tx.AddMember("space", "user")
}

// requireNothing fails the test unless the store is empty.
func requireNothing(t *testing.T, s engine.Store) {
	t.Helper()
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		for _, r := range rows() {
			_, err := r.get(tx)
			requireCode(t, engine.CodeNotFound, err)
		}
		require.Equal(t, lists{}, allLists(t, tx))
		return nil
	}))
}

func failedUpdate(t *testing.T, s engine.Store) {
	err := s.Update(t.Context(), func(tx engine.Tx) error { return errors.Join(writeAll(tx), errTest) })
	require.ErrorIs(t, err, errTest)
	requireNothing(t, s)
	update(t, s, writeAll)
}

func panickedUpdate(t *testing.T, s engine.Store) {
	require.PanicsWithValue(t, "on purpose", func() {
		_ = s.Update(t.Context(), func(tx engine.Tx) error {
			if err := writeAll(tx); err != nil {
				return err
			}
			panic("on purpose")
		})
	})
	requireNothing(t, s)
	update(t, s, writeAll)
}

// lists holds every list of the samples and every result of a query by something other than an id.
type lists struct {
	Keys        []engine.Key
	Spaces      []engine.Space
	Recordings  []engine.Recording
	Speakers    []engine.Speaker
	Roles       []engine.Role
	Assignments []engine.Assignment
	Members     []engine.UserID
	Prompts     []engine.Prompt
	Outputs     []engine.Output
	Suggestions []engine.Suggestion
	Edits       []engine.Edit
	Imports     []engine.Import
	Webhooks    []engine.Webhook
	Deliveries  []engine.Delivery
	Postings    []search.Posting
	Leased      []queue.Job
	Job         queue.ID
	HasNext     bool
}

func allLists(t *testing.T, tx engine.ReadTx) (l lists) {
	t.Helper()
	var errs [17]error
	l.Keys, errs[0] = orNil(tx.Keys("user"))
	l.Spaces, errs[1] = orNil(tx.SpacesOf("user"))
	l.Recordings, errs[2] = orNil(tx.Recordings(engine.RecordingQuery{Spaces: []engine.SpaceID{"space", "", "elsewhere"}, Limit: 10}))
	l.Speakers, errs[3] = orNil(tx.Speakers("space"))
	l.Roles, errs[4] = orNil(tx.Roles("space"))
	l.Assignments, errs[5] = orNil(tx.Assignments("recording"))
	l.Leased, errs[6] = orNil(tx.LeasedJobs())
	l.Members, errs[8] = orNil(tx.Members("space"))
	l.Prompts, errs[9] = orNil(tx.Prompts("space"))
	l.Outputs, errs[10] = orNil(tx.Outputs("recording"))
	l.Suggestions, errs[11] = orNil(tx.Suggestions("recording"))
	l.Imports, errs[12] = orNil(tx.ImportsOfItem("space", sampleText))
	l.Webhooks, errs[13] = orNil(tx.Webhooks("user"))
	l.Deliveries, errs[14] = orNil(tx.Deliveries("webhook", 10))
	l.Postings, errs[15] = orNil(samplePostings(tx))
	l.Edits, errs[16] = orNil(tx.Edits("recording"))
	_, l.HasNext, errs[7] = tx.NextJobAt([]queue.Class{"", queue.ClassImport}, nil)
	require.NoError(t, errors.Join(errs[:]...))
	job, err := tx.JobByKey(sampleText)
	if err != nil {
		requireCode(t, engine.CodeNotFound, err)
	}
	l.Job = job.ID
	return l
}

// orNil replaces an empty list by nil, because a store may return either.
func orNil[T any](rows []T, err error) ([]T, error) {
	if len(rows) == 0 {
		return nil, err
	}
	return rows, err
}

func failedReplacement(t *testing.T, s engine.Store) {
	update(t, s, writeAll)
	look := func(tx engine.ReadTx) (lists, error) { return allLists(t, tx), nil }
	before := read(t, s, look)
	err := s.Update(t.Context(), func(tx engine.Tx) error {
		for _, r := range rows() {
			if err := r.put(tx, r.bare); err != nil {
				return err
			}
		}
		moved := sampleRecording()
		moved.SpaceID, moved.CreatedAt, moved.Number = "elsewhere", at(99), 1
		return errors.Join(tx.PutRecording(moved), tx.AddMember("space", "user"), errTest)
	})
	require.ErrorIs(t, err, errTest)
	err = s.Update(t.Context(), func(tx engine.Tx) error {
		return errors.Join(tx.DeleteKey("key"), tx.DeleteAssignment("recording", "Speaker 0"), tx.DeleteWebhook("webhook"), tx.DeleteEdits("recording"),
			tx.DeleteSuggestions("recording"), tx.DeleteTranslations("transcript"), tx.DeleteTranscript("transcript"), errTest)
	})
	require.ErrorIs(t, err, errTest)
	require.Equal(t, before, read(t, s, look))
	for _, r := range rows() {
		require.Equal(t, r.whole, read(t, s, r.get), r.noun)
	}
}

func failedEnqueue(t *testing.T, s engine.Store) {
	j := newJob("job")
	err := s.Update(t.Context(), func(tx engine.Tx) error {
		return errors.Join(tx.PutRecording(sampleRecording()), tx.Enqueue(j), errTest)
	})
	require.ErrorIs(t, err, errTest)
	requireNothing(t, s)
	requireCode(t, engine.CodeNotFound, s.Update(t.Context(), func(tx engine.Tx) error {
		_, err := tx.DueJob(j.Class, j.RunAt, nil)
		return err
	}))
	_, ok := nextJobAt(t, s, j.Class)
	require.False(t, ok)

	// The key can be used again.
	update(t, s, func(tx engine.Tx) error {
		return errors.Join(tx.PutRecording(sampleRecording()), tx.Enqueue(j))
	})
	require.Equal(t, j, read(t, s, func(tx engine.ReadTx) (queue.Job, error) { return tx.JobByKey(j.Key) }))
}

func canceledBefore(t *testing.T, s engine.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.Update(ctx, func(tx engine.Tx) error {
		t.Error("the function was called")
		return writeAll(tx)
	})
	requireCode(t, engine.CodeCanceled, err)
	requireNothing(t, s)
}

func canceledDuring(t *testing.T, s engine.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Update(ctx, func(tx engine.Tx) error {
		if err := tx.PutAccount(engine.Account{ID: "before"}); err != nil {
			return err
		}
		cancel()
		// An implementation may reject writes from here on; it must not commit what it rejects.
		return errors.Join(tx.PutAccount(engine.Account{ID: "after"}), tx.Enqueue(newJob("job")))
	})
	if err != nil {
		requireNothing(t, s)
	}
	for _, id := range []engine.AccountID{"before", "after"} {
		_, missing := tryRead(t, s, func(tx engine.ReadTx) (engine.Account, error) { return tx.Account(id) })
		require.Equal(t, err == nil, missing == nil, "the update returned %v, account %q: %v", err, id, missing)
	}
	update(t, s, writeAll)
}

func canceledAndFailed(t *testing.T, s engine.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Update(ctx, func(tx engine.Tx) error {
		if err := writeAll(tx); err != nil {
			return err
		}
		cancel()
		_ = tx.PutAccount(engine.Account{ID: "late"})
		return errTest
	})
	require.Error(t, err)
	requireNothing(t, s)
	_, err = tryRead(t, s, func(tx engine.ReadTx) (engine.Account, error) { return tx.Account("late") })
	requireCode(t, engine.CodeNotFound, err)
	update(t, s, writeAll)
}

func usedAfterEnd(t *testing.T, s engine.Store) {
	var readTx engine.ReadTx
	var tx engine.Tx
	require.NoError(t, s.View(t.Context(), func(inner engine.ReadTx) error { readTx = inner; return nil }))
	update(t, s, func(inner engine.Tx) error { tx = inner; return nil })
	for _, r := range rows() {
		for _, over := range []engine.ReadTx{readTx, tx} {
			_, err := r.get(over)
			require.Error(t, err, r.noun)
			require.NotEqual(t, engine.CodeNotFound, engine.CodeOf(err), r.noun)
		}
		require.Error(t, r.put(tx, r.whole), r.noun)
	}
	require.Error(t, tx.Enqueue(newJob("job")))
	require.Error(t, tx.AddMember("space", "user"))
	require.Error(t, tx.DeleteKey("key"))
	require.Error(t, tx.DeleteWebhook("webhook"))
	_, err := tx.DueJob("class", at(0), nil)
	require.NotEqual(t, engine.CodeNotFound, engine.CodeOf(err))
	requireNothing(t, s)
}

func viewIsReadOnly(t *testing.T, s engine.Store) {
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		_, writes := tx.(engine.Tx)
		require.False(t, writes, "%T is an engine.Tx", tx)
		return nil
	}))
}

func failedView(t *testing.T, s engine.Store) {
	require.ErrorIs(t, s.View(t.Context(), func(engine.ReadTx) error { return errTest }), errTest)
}

func counts(t *testing.T, s engine.Store) {
	counting, ok := s.(engine.CountingStore)
	if !ok {
		return // CountingStore is optional
	}
	got, err := counting.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]int{"recordings": 0, "uploads": 0, "transcripts": 0, "jobs": 0}, got)
	update(t, s, writeAll)
	write(t, s, engine.Tx.PutJob, newJob("waits"), withStatus(newJob("failed"), queue.Failed), withStatus(newJob("done"), queue.Completed))
	got, err = counting.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]int{"recordings": 1, "uploads": 1, "transcripts": 1, "jobs": 2}, got)
}

package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// A context that ends inside a transaction has no effect; with it, go-sqlite3 would commit the rest statement by statement.
func TestCancelInside(t *testing.T) {
	t.Parallel()
	s := open(t)
	boom := errors.New("boom")
	for _, want := range []error{nil, boom} {
		id := fmt.Sprint(want)
		ctx, cancel := context.WithCancel(t.Context())
		err := s.Update(ctx, func(tx engine.Tx) error {
			require.NoError(t, tx.PutUser(user(id+"1")))
			cancel()
			require.NoError(t, tx.PutUser(user(id+"2")))
			_, err := tx.User(engine.UserID(id + "1"))
			require.NoError(t, err)
			return want
		})
		require.Equal(t, want, err)
		require.Equal(t, want == nil, hasUser(t, s, id+"1"))
		require.Equal(t, want == nil, hasUser(t, s, id+"2"))
	}
}

// An ended context starts no transaction, and its cause is returned.
func TestCancelBefore(t *testing.T) {
	t.Parallel()
	s := open(t)
	cause := errors.New("shutting down")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	require.ErrorIs(t, s.Update(ctx, func(engine.Tx) error { panic("started") }), cause)
	require.ErrorIs(t, s.View(ctx, func(engine.ReadTx) error { panic("started") }), cause)
}

// Waiting for another Update ends when the context ends.
func TestCancelWhileWaiting(t *testing.T) {
	t.Parallel()
	s := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	update(t, s, func(engine.Tx) error {
		done := make(chan error)
		go func() { done <- s.Update(ctx, func(engine.Tx) error { panic("started") }) }()
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
		return nil
	})
}

// Contexts that end at any moment leave each Update committed or not, and the store usable (go-sqlite3 issue 764).
func TestCancelRace(t *testing.T) {
	t.Parallel()
	s := open(t)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 250 {
				id := fmt.Sprintf("%d-%d", w, i)
				ctx, cancel := context.WithCancel(t.Context())
				go cancel()
				err := s.Update(ctx, func(tx engine.Tx) error { return tx.PutUser(user(id)) })
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				if hasUser(t, s, id) != (err == nil) {
					t.Errorf("Update returned %v, which doesn't match the row", err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	update(t, s, func(tx engine.Tx) error { return tx.PutUser(user("last")) })
}

// After a failed statement nothing is committed, even if fn ignores the error.
func TestFailedStatement(t *testing.T) {
	t.Parallel()
	s := open(t)
	bad := recording("space", 1)
	bad.TranscriptStatus = "on fire"
	err := s.Update(t.Context(), func(tx engine.Tx) error {
		require.NoError(t, tx.PutUser(user("before")))
		first := tx.PutRecording(bad)
		require.Equal(t, engine.CodeInternal, engine.CodeOf(first))
		require.Equal(t, first, tx.PutUser(user("after")), "every later call returns the same error")
		_, err := tx.User("before")
		require.Equal(t, first, err)
		return nil
	})
	require.ErrorContains(t, err, "CHECK constraint failed")
	require.Equal(t, "Something went wrong on our side.", engine.Message(err))
	require.False(t, hasUser(t, s, "before"))
	require.False(t, hasUser(t, s, "after"))
}

// A missing row is not a failed statement.
func TestNotFoundGoesOn(t *testing.T) {
	t.Parallel()
	s := open(t)
	update(t, s, func(tx engine.Tx) error {
		_, err := tx.User("nobody")
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
		return tx.PutUser(user("u"))
	})
	require.True(t, hasUser(t, s, "u"))
}

// An Update whose transaction SQLite rolled back itself returns an error.
func TestLostTransaction(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.NoError(t, s.Exec(`CREATE TRIGGER lose AFTER INSERT ON users WHEN NEW.id = 'lost' BEGIN SELECT RAISE(ROLLBACK, 'lost'); END`))
	err := s.Update(t.Context(), func(tx engine.Tx) error {
		require.NoError(t, tx.PutUser(user("before")))
		_ = tx.PutUser(user("lost"))
		_ = tx.PutUser(user("after"))
		return nil
	})
	require.Error(t, err)
	require.False(t, hasUser(t, s, "before"))
	require.False(t, hasUser(t, s, "after"))
	update(t, s, func(tx engine.Tx) error { return tx.PutUser(user("next")) })
}

// A panic rolls back and propagates.
func TestPanic(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.PanicsWithValue(t, "boom", func() {
		_ = s.Update(t.Context(), func(tx engine.Tx) error {
			require.NoError(t, tx.PutUser(user("u")))
			panic("boom")
		})
	})
	require.PanicsWithValue(t, "boom", func() { _ = s.View(t.Context(), func(engine.ReadTx) error { panic("boom") }) })
	require.False(t, hasUser(t, s, "u"))
	update(t, s, func(tx engine.Tx) error { return tx.PutUser(user("next")) })
}

// A Tx returns errors after its fn has returned.
func TestUseAfterEnd(t *testing.T) {
	t.Parallel()
	s := open(t)
	var kept engine.Tx
	var read engine.ReadTx
	update(t, s, func(tx engine.Tx) error { kept = tx; return nil })
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error { read = tx; return nil }))
	update(t, s, func(engine.Tx) error {
		err := kept.PutUser(user("u"))
		require.ErrorContains(t, err, "the transaction has ended")
		_, err = kept.User("u")
		require.ErrorContains(t, err, "the transaction has ended")
		_, err = read.SpacesOf("u")
		require.ErrorContains(t, err, "the transaction has ended")
		_, _, err = read.NextJobAt([]queue.Class{queue.ClassImport}, nil)
		require.ErrorContains(t, err, "the transaction has ended")
		return nil
	})
	require.False(t, hasUser(t, s, "u"))
}

// A View sees one snapshot during concurrent Updates and can't write.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		_, err := tx.User("u")
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
		update(t, s, func(tx engine.Tx) error { return tx.PutUser(user("u")) })
		_, err = tx.User("u")
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
		_, writes := tx.(engine.Tx)
		require.False(t, writes)
		return nil
	}))
	require.True(t, hasUser(t, s, "u"))
}

// While another program holds the file's write lock, an Update fails with a retryable CodeUnavailable; afterwards it succeeds.
func TestBusy(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := openAt(t, path)
	require.NoError(t, s.Exec("PRAGMA busy_timeout = 1"))
	db, err := sql.Open(sqlite.DriverName, "file:"+path+"?_txlock=immediate")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	backup, err := db.Begin()
	require.NoError(t, err)
	err = s.Update(t.Context(), func(tx engine.Tx) error { return tx.PutUser(user("u")) })
	var e *engine.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, engine.CodeUnavailable, e.Code)
	require.True(t, e.Retryable)
	require.False(t, hasUser(t, s, "u"), "readers are not blocked")
	require.NoError(t, backup.Rollback())
	update(t, s, func(tx engine.Tx) error { return tx.PutUser(user("u")) })
}

// More concurrent Views than connections wait for each other.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	var wg sync.WaitGroup
	for w := range 32 {
		wg.Go(func() {
			for i := range 20 {
				id := fmt.Sprintf("%d-%d", w, i)
				if err := s.Update(t.Context(), func(tx engine.Tx) error { return tx.PutUser(user(id)) }); err != nil {
					t.Error(err)
				}
				if !hasUser(t, s, id) {
					t.Error("a committed row can't be read")
				}
			}
		})
	}
	wg.Wait()
}

package sqlite_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// grouped runs Updates that share a transaction, in the order of fns, and returns their errors. The first one waits until all others wait for it.
func grouped(t *testing.T, s *sqlite.Store, fns ...func(engine.Tx) error) []error {
	errs := make([]error, len(fns))
	var running sync.WaitGroup
	errs[0] = s.Update(t.Context(), func(tx engine.Tx) error {
		for i, fn := range fns[1:] {
			errs[i+1] = errors.New("it didn't return")
			running.Go(func() {
				defer func() { _ = recover() }()
				errs[i+1] = s.Update(t.Context(), fn)
			})
			synctest.Wait()
		}
		return fns[0](tx)
	})
	running.Wait()
	return errs
}

func put(id string) func(engine.Tx) error {
	return func(tx engine.Tx) error { return tx.PutUser(user(id)) }
}

// Updates that wait for each other are committed once. A member that fails in any way writes nothing, and harms no other.
func TestGroup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		var statements []string
		s.CountStatements(func(query string) { statements = append(statements, query) })
		boom := errors.New("boom")
		bad := recording("space", 1)
		bad.TranscriptStatus = "on fire"
		errs := grouped(t, s, put("first"), put("a"),
			func(tx engine.Tx) error { return errors.Join(tx.PutUser(user("error")), boom) },
			func(tx engine.Tx) error { _ = tx.PutUser(user("panic")); panic("boom") },
			func(tx engine.Tx) error { _ = tx.PutUser(user("exit")); runtime.Goexit(); return nil },
			func(tx engine.Tx) error { _, _ = tx.PutUser(user("statement")), tx.PutRecording(bad); return nil },
			func(tx engine.Tx) error { // it sees what is written before, and nothing that failed; no other caller sees it yet
				for id, want := range map[string]bool{"first": true, "a": true, "error": false, "panic": false, "exit": false, "statement": false} {
					_, err := tx.User(engine.UserID(id))
					require.Equal(t, want, err == nil, id)
					require.False(t, hasUser(t, s, id), id)
				}
				return tx.PutUser(user("b"))
			},
		)
		require.NoError(t, errors.Join(errs[0], errs[1], errs[6]))
		require.ErrorIs(t, errs[2], boom)
		require.EqualError(t, errs[3], "it didn't return")
		require.EqualError(t, errs[4], "it didn't return")
		require.ErrorContains(t, errs[5], "CHECK constraint failed")
		for id, want := range map[string]bool{"first": true, "a": true, "b": true, "error": false, "panic": false, "exit": false, "statement": false} {
			require.Equal(t, want, hasUser(t, s, id), id)
		}
		begun := slices.DeleteFunc(statements, func(q string) bool { return q != "BEGIN IMMEDIATE" })
		require.Len(t, begun, 1)
	})
}

// If a group can't be committed, or SQLite ends its transaction, every Update until then fails, and the next one succeeds.
func TestGroupFails(t *testing.T) {
	t.Parallel()
	for name, setup := range map[string]string{
		"commit": `PRAGMA foreign_keys = 1; CREATE TABLE parent (id PRIMARY KEY); CREATE TABLE child (id REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
			CREATE TRIGGER lose AFTER INSERT ON users WHEN NEW.id = 'lost' BEGIN INSERT INTO child VALUES (1); END`,
		"statement": `CREATE TRIGGER lose AFTER INSERT ON users WHEN NEW.id = 'lost' BEGIN SELECT RAISE(ROLLBACK, 'lost'); END`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := open(t)
				require.NoError(t, s.Exec(setup))
				ids := []string{"first", "a", "lost", "after"}
				errs := grouped(t, s, put(ids[0]), put(ids[1]), put(ids[2]), put(ids[3]))
				for i, id := range ids {
					want := name == "statement" && id == "after" // it begins another group
					require.Equal(t, want, errs[i] == nil, "%s: %v", id, errs[i])
					require.Equal(t, want, hasUser(t, s, id), id)
				}
				update(t, s, put("next"))
			})
		})
	}
}

// A group whose members were canceled while they waited is committed, and so is one during Close.
func TestGroupEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := newPath(t)
		s, err := sqlite.Open(t.Context(), path)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		update(t, s, func(tx engine.Tx) error {
			for range 3 {
				running.Go(func() { require.ErrorIs(t, s.Update(ctx, put("canceled")), context.Canceled) })
			}
			synctest.Wait()
			cancel()
			return put("a")(tx)
		})
		running.Wait()
		update(t, s, func(tx engine.Tx) error {
			running.Go(func() { require.NoError(t, s.Close()) })
			synctest.Wait()
			return put("b")(tx)
		})
		running.Wait()
		s = openAt(t, path)
		require.True(t, hasUser(t, s, "a"))
		require.True(t, hasUser(t, s, "b"))
		require.False(t, hasUser(t, s, "canceled"))
	})
}

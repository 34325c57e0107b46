package memory_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// Store passes the conformance suite.
func TestStore(t *testing.T) {
	t.Parallel()
	enginetest.TestStore(t, func(*testing.T) engine.Store { return memory.NewStore() })
}

// The store is not exclusive, so an engine doesn't release the leases of other engines.
func TestStoreIsNotExclusive(t *testing.T) {
	t.Parallel()
	require.False(t, memory.NewStore().Exclusive())
}

// A store has no goroutines or timers, so time advances in a synctest bubble when all other goroutines wait.
func TestStoreInBubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := memory.NewStore()
		begin := time.Now()
		go func() {
			<-time.After(time.Hour)
			_ = s.Update(t.Context(), func(tx engine.Tx) error {
				return tx.PutAccount(engine.Account{ID: "a", CreatedAt: time.Now()})
			})
		}()
		<-time.After(2 * time.Hour)
		require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
			a, err := tx.Account("a")
			require.Equal(t, begin.Add(time.Hour).UTC(), a.CreatedAt)
			return err
		}))
	})
}

// Times are truncated to microseconds, as in a database, so that a program that needs more precision fails here too.
func TestStoreKeepsMicroseconds(t *testing.T) {
	t.Parallel()
	s := memory.NewStore()
	given := time.Date(2026, 1, 2, 3, 4, 5, 678_901_999, time.UTC)
	require.NoError(t, s.Update(t.Context(), func(tx engine.Tx) error {
		return tx.PutAccount(engine.Account{ID: "a", CreatedAt: given})
	}))
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		a, err := tx.Account("a")
		require.Equal(t, given.Truncate(time.Microsecond), a.CreatedAt)
		return err
	}))
}

// After many changes, half of them rolled back, the lists match the rows.
func TestStoreRollsBackLists(t *testing.T) {
	t.Parallel()
	s := memory.NewStore()
	failed := errors.New("on purpose")
	want := map[engine.RecordingID]engine.SpaceID{}
	for i := range 400 {
		r := engine.Recording{
			ID: engine.RecordingID(fmt.Sprint(i * 31 % 50)), SpaceID: engine.SpaceID(fmt.Sprint(i * 17 % 3)),
			CreatedAt: time.Unix(int64(i*13%7), 0).UTC(),
		}
		err := s.Update(t.Context(), func(tx engine.Tx) error {
			if err := errors.Join(tx.PutRecording(engine.Recording{ID: "x"}), tx.PutRecording(r)); err != nil {
				return err
			}
			if i%2 == 1 {
				return failed
			}
			return nil
		})
		if err == nil {
			want[r.ID] = r.SpaceID
		} else {
			require.ErrorIs(t, err, failed)
		}
	}
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		rows, err := tx.Recordings(engine.RecordingQuery{Spaces: []engine.SpaceID{"0", "1", "2"}, Limit: 1000})
		require.Len(t, rows, len(want))
		for i, r := range rows {
			require.Equal(t, want[r.ID], r.SpaceID)
			require.True(t, i == 0 || !r.CreatedAt.After(rows[i-1].CreatedAt))
		}
		return err
	}))
}

// The store passes the cases of a store with several users.
func TestSharedStore(t *testing.T) {
	t.Parallel()
	enginetest.TestSharedStore(t, func(*testing.T) (one, other engine.Store) {
		s := memory.NewStore()
		return s, s
	})
}

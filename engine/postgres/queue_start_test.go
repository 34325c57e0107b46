package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A job that is due when it is enqueued, like those of the engine, starts at once on another process: it doesn't wait for the next fetch.
func TestDueJobStartsAtOnce(t *testing.T) {
	t.Parallel()
	url := database(t)
	began := make(chan time.Time, 10)
	first, store := newWorker(t, openAt(t, url), 0, 0, nil), openAt(t, url)
	newWorker(t, store, 4, 0, func(context.Context, queue.Job) error { began <- time.Now(); return nil })
	first.enqueue(t, "tenant", "warm")
	<-began
	start := time.Now()
	for i := range 30 { // one fetch each would take 30 s
		require.NoError(t, first.Update(t.Context(), func(tx engine.Tx) error {
			return tx.Enqueue(first.NewJob("kind", fmt.Sprint(i), "tenant", store.Clock().Now()))
		}))
		<-began
	}
	require.Less(t, time.Since(start), 20*time.Second)
}

// A job of the future, such as a retry, starts at most 1 s late, also while no process runs River's scheduler, as after a kill. It never
// starts early.
func TestScheduledJobStartsInTime(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it waits for jobs of the future")
	url := database(t)
	began := make(chan queue.Job, 100)
	at := map[string]time.Time{}
	first, store := newWorker(t, openAt(t, url), 0, 0, nil), openAt(t, url)
	require.NoError(t, store.Exec(t.Context(), "INSERT INTO river_leader VALUES (now(), now() + interval '1 hour', 'killed', 'default')"))
	newWorker(t, store, 20, 0, func(_ context.Context, j queue.Job) error {
		j.UpdatedAt = store.Clock().Now()
		began <- j
		return nil
	})
	for i := range 20 {
		ref := fmt.Sprint(i)
		at[ref] = store.Clock().Now().Add(500*time.Millisecond + time.Duration(i)*130*time.Millisecond)
		require.NoError(t, first.Update(t.Context(), func(tx engine.Tx) error {
			return tx.Enqueue(first.NewJob("kind", ref, "tenant", at[ref]))
		}))
	}
	var late []time.Duration
	for range at {
		j := <-began
		late = append(late, j.UpdatedAt.Sub(at[j.Ref]))
	}
	slices.Sort(late)
	t.Logf("late: median %v, max %v", late[len(late)/2].Round(time.Millisecond), late[len(late)-1].Round(time.Millisecond))
	require.Greater(t, late[0], -50*time.Millisecond, "the clocks of the store differ by about a round trip")
	require.Less(t, late[len(late)-1], 2*time.Second, "1 s, and time for a busy machine")
}

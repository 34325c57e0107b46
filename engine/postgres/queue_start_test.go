package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// A job that is due when it is enqueued, like those of the engine, starts at once on another process: it doesn't wait for River's scheduler,
// which looks every 5 s.
func TestDueJobStartsAtOnce(t *testing.T) {
	t.Parallel()
	url := database(t)
	began := make(chan time.Time, 10)
	first, store := newWorker(t, openAt(t, url), 0, 0, nil), openAt(t, url)
	newWorker(t, store, 4, 0, func(context.Context, queue.Job) error { began <- time.Now(); return nil })
	first.enqueue(t, "tenant", "warm")
	<-began
	start := time.Now()
	for i := range 5 {
		require.NoError(t, first.Update(t.Context(), func(tx engine.Tx) error {
			return tx.Enqueue(first.NewJob("kind", fmt.Sprint(i), "tenant", store.Clock().Now()))
		}))
		<-began
	}
	require.Less(t, time.Since(start), 4*time.Second)
}

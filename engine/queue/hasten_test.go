package queue_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// A job that waits for its retry runs at once when it is hastened. Other jobs keep their times.
func TestHasten(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var mu sync.Mutex
		runs := map[string]int{}
		h := does(func(_ context.Context, a *queue.Attempt) error {
			mu.Lock()
			runs[a.Job.Ref]++
			mu.Unlock()
			if a.Job.Attempt == 1 {
				return errBusy
			}
			return nil
		})
		h.Schedule = []time.Duration{time.Hour}
		s := newStage(t, config{}, h)
		defer s.start()()
		a, b := s.enqueue("a", ""), s.enqueue("b", "")
		synctest.Wait()
		require.Equal(t, queue.Retrying, s.job(a).Status)
		require.NoError(t, s.Hasten(t.Context(), a))
		synctest.Wait()
		require.Equal(t, queue.Completed, s.job(a).Status)
		require.Equal(t, queue.Retrying, s.job(b).Status)
		require.Equal(t, map[string]int{"a": 2, "b": 1}, runs)
	})
}

// A job that is due, runs, or has ended can't be hastened, and a missing one isn't found.
func TestHastenNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, config{}, does(until))
		due := s.enqueue("a", "")
		require.ErrorIs(t, s.Hasten(t.Context(), due), queue.ErrNotWaiting)
		stop := s.start()
		synctest.Wait()
		require.Equal(t, queue.Running, s.job(due).Status)
		require.ErrorIs(t, s.Hasten(t.Context(), due), queue.ErrNotWaiting)
		require.NoError(t, s.Cancel(t.Context(), due))
		synctest.Wait()
		require.ErrorIs(t, s.Hasten(t.Context(), due), queue.ErrNotWaiting)
		require.Equal(t, queue.Canceled, s.job(due).Status)
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(s.Hasten(t.Context(), "none")))
		stop()
	})
}

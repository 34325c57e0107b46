package queue_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// New refuses a Config without a required field, and an Observer without Intercept.
func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*config){
		"":          func(*config) {},
		"Store":     func(c *config) { c.Store = nil },
		"Handlers":  func(c *config) { c.Handlers = nil },
		"NewID":     func(c *config) { c.NewID = nil },
		"Classify":  func(c *config) { c.Classify = nil },
		"Intercept": func(c *config) { c.Observer = &observer{} },
	} {
		c := config{
			Store: memory.NewStore(), Handlers: map[queue.Kind]handler{}, NewID: func() queue.ID { return "" },
			Classify: func(error) queue.Failure { return queue.Failure{} },
		}
		remove(&c)
		_, err := queue.New(c)
		if name == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, name)
		}
	}
}

// The defaults are those that Config documents.
func TestDefaults(t *testing.T) {
	bubble(t, func(t *testing.T) {
		require.Equal(t, map[queue.Class]int{
			"transcribe": 2, "import": 4, "generate": 2, "render": max(2, runtime.NumCPU()/2), "deliver": 16, "maintain": 1,
		}, queue.DefaultWorkers())
		s := newStage(t, config{}, does(until))
		defer s.start()()
		id := s.enqueue("a", "")
		synctest.Wait()
		j := s.job(id)
		require.Equal(t, 30*time.Second, j.LeaseUntil.Sub(j.UpdatedAt))
	})
}

// The channel of Changes is closed at the next commit, not by a failed transaction.
func TestChanges(t *testing.T) {
	t.Parallel()
	s := newStage(t, config{}, does(until))
	closed := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	changes := s.Changes()
	require.ErrorIs(t, s.Update(t.Context(), func(engine.Tx) error { return errBroken }), errBroken)
	require.False(t, closed(changes))
	s.enqueue("a", "")
	require.True(t, closed(changes))
	require.False(t, closed(s.Changes()))
}

// The timer of the wall clock fires once. A stopped one doesn't.
func TestSystemClock(t *testing.T) {
	bubble(t, func(t *testing.T) {
		began := time.Now()
		timer := queue.SystemClock().NewTimer(time.Hour)
		require.Equal(t, began.Add(time.Hour), <-timer.C())
		require.Equal(t, began.Add(time.Hour), queue.SystemClock().Now())
		require.False(t, timer.Stop())
		timer = queue.SystemClock().NewTimer(time.Hour)
		require.True(t, timer.Stop())
		time.Sleep(2 * time.Hour)
		require.Empty(t, timer.C())
	})
}

// A job that is canceled while it waits keeps the reason, and its handler isn't run.
func TestCanceledRow(t *testing.T) {
	t.Parallel()
	s := newStage(t, config{}, does(func(context.Context, *queue.Attempt) error { t.Error("it runs"); return nil }))
	id := s.enqueue("a", "")
	require.NoError(t, s.Cancel(t.Context(), id))
	j := s.job(id)
	require.Equal(t, queue.Canceled, j.Status)
	require.True(t, j.CancelRequested)
	require.Equal(t, queue.ErrCanceled.Error(), j.LastError)
}

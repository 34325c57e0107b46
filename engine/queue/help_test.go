package queue_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

type (
	config  = queue.Config[engine.ReadTx, engine.Tx]
	handler = queue.Handler[engine.Tx]
	store   = queue.Store[engine.ReadTx, engine.Tx]
)

// stage is a queue with test helpers. Its jobs have no rows.
type stage struct {
	*queue.Queue[engine.ReadTx, engine.Tx]
	t     *testing.T
	store store
}

// newStage returns a queue. c overrides the defaults: a memory store, and one kind of job, "work", with handler h.
func newStage(t *testing.T, c config, h handler) *stage {
	t.Helper()
	if c.Store == nil {
		c.Store = memory.NewStore()
	}
	if h.Class == "" {
		h.Class = queue.ClassImport
	}
	if h.Attempts == 0 {
		h.Attempts = 5
	}
	if c.Handlers == nil {
		c.Handlers = map[queue.Kind]handler{"work": h}
	}
	var ids atomic.Int64
	c.NewID = func() queue.ID { return queue.ID(fmt.Sprintf("job-%03d", ids.Add(1))) }
	c.Classify = func(err error) queue.Failure {
		var e *engine.Error
		if !errors.As(err, &e) {
			return queue.Failure{}
		}
		return queue.Failure{NotFound: e.Code == engine.CodeNotFound, Retryable: e.Retryable, RetryAfter: e.RetryAfter, Outage: e.Outage}
	}
	c.Intercept = func(tx engine.Tx, enqueue func(queue.Job) error) engine.Tx { return intercepted{tx, enqueue} }
	q, err := queue.New(c)
	require.NoError(t, err)
	return &stage{Queue: q, t: t, store: c.Store}
}

type intercepted struct {
	engine.Tx
	enqueue func(queue.Job) error
}

func (tx intercepted) Enqueue(j queue.Job) error { return tx.enqueue(j) }

// does returns a handler whose Run calls fn.
func does(fn func(ctx context.Context, a *queue.Attempt) error) handler {
	return handler{Run: func(ctx context.Context, a *queue.Attempt) (func(engine.Tx) error, error) { return nil, fn(ctx, a) }}
}

// until waits until ctx ends, and returns its cause.
func until(ctx context.Context, _ *queue.Attempt) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

// start runs the queue until stop is called. stop waits for Run to return.
func (s *stage) start() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	return sync.OnceFunc(func() {
		cancel()
		require.NoError(s.t, <-done)
	})
}

// enqueue adds a job of kind "work" that is due now.
func (s *stage) enqueue(ref, tenant string) queue.ID {
	s.t.Helper()
	j := s.NewJob("work", ref, tenant, time.Now())
	require.NoError(s.t, s.Update(s.t.Context(), func(tx engine.Tx) error { return tx.Enqueue(j) }))
	return j.ID
}

func (s *stage) job(id queue.ID) (j queue.Job) {
	s.t.Helper()
	require.NoError(s.t, s.store.View(context.Background(), func(tx engine.ReadTx) (err error) {
		j, err = tx.Job(id)
		return err
	}))
	return j
}

// change modifies a job's row like another process.
func (s *stage) change(id queue.ID, change func(*queue.Job)) {
	s.t.Helper()
	require.NoError(s.t, s.store.Update(context.Background(), func(tx engine.Tx) error {
		j, err := tx.Job(id)
		if err != nil {
			return err
		}
		change(&j)
		return tx.PutJob(j)
	}))
}

// bubble runs a test in a synctest bubble, with virtual time.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}

package queue_test

import (
	"context"
	"errors"
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

var (
	errBusy   = engine.Errorf(engine.CodeUnavailable, "", "Busy.").Transient()
	errBroken = engine.Errorf(engine.CodeBadMedia, "", "Broken.")
)

// A job is started, run, and finished, in this order. The jobs that it enqueues are written with its end.
func TestStartRunFinish(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var order []string
		var s *stage
		s = newStage(t, config{}, handler{
			Start: func(context.Context, *queue.Attempt) error { order = append(order, "start"); return nil },
			Run: func(_ context.Context, a *queue.Attempt) (func(engine.Tx) error, error) {
				order = append(order, "run "+a.Job.Ref)
				if a.Job.Ref == "second" {
					return nil, nil
				}
				return func(tx engine.Tx) error {
					order = append(order, "finish")
					return tx.Enqueue(s.NewJob("work", "second", "", time.Now()))
				}, nil
			},
		})
		defer s.start()()
		id := s.enqueue("first", "")
		synctest.Wait()
		require.Equal(t, []string{"start", "run first", "finish", "start", "run second"}, order)
		require.Equal(t, queue.Completed, s.job(id).Status)
	})
}

// If Start fails, the attempt does no work.
func TestStartFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, config{}, handler{
			Start: func(context.Context, *queue.Attempt) error { return errBroken },
			Run: func(context.Context, *queue.Attempt) (func(engine.Tx) error, error) {
				t.Error("it runs")
				return nil, nil
			},
		})
		defer s.start()()
		id := s.enqueue("a", "")
		synctest.Wait()
		require.Equal(t, queue.Failed, s.job(id).Status)
	})
}

// The error decides a job's status. The row is updated in the same transaction.
func TestOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		run      func(context.Context, *queue.Attempt) error
		want     queue.Status
		attempts int
		failed   string
		retried  int
	}{
		"done":              {func(context.Context, *queue.Attempt) error { return nil }, queue.Completed, 1, "", 0},
		"permanent error":   {func(context.Context, *queue.Attempt) error { return errBroken }, queue.Failed, 1, "Broken.", 0},
		"transient error":   {func(context.Context, *queue.Attempt) error { return errBusy }, queue.Failed, 3, "Busy.", 2},
		"canceled by error": {func(context.Context, *queue.Attempt) error { return queue.ErrCanceled }, queue.Canceled, 1, "queue: canceled on request", 0},
		"panic":             {func(context.Context, *queue.Attempt) error { panic("secret") }, queue.Failed, 1, "work: panic: secret", 0},
		"late success": {func(_ context.Context, a *queue.Attempt) error {
			if !a.Last {
				return errBusy
			}
			return nil
		}, queue.Completed, 3, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				failed, retried := "", 0
				h := does(c.run)
				h.Attempts = 3
				h.Failed = func(_ engine.Tx, _ queue.Job, err error) error { failed = err.Error(); return nil }
				h.Retried = func(engine.Tx, queue.Job, error) error { retried++; return nil }
				s := newStage(t, config{}, h)
				defer s.start()()
				id := s.enqueue("a", "")
				time.Sleep(time.Hour)
				j := s.job(id)
				require.Equal(t, c.want, j.Status)
				require.Equal(t, c.attempts, j.Attempt)
				require.Equal(t, c.failed, failed)
				require.Equal(t, c.retried, retried)
				require.Empty(t, j.LeaseOwner)
			})
		})
	}
}

// hiccup is a store whose next write fails, if a test asks for it.
type hiccup struct {
	*memory.Store
	next atomic.Bool
}

func (s *hiccup) Update(ctx context.Context, fn func(engine.Tx) error) error {
	if s.next.CompareAndSwap(true, false) {
		return context.DeadlineExceeded
	}
	return s.Store.Update(ctx, fn)
}

// If only the store fails, the work is done again: an attempt that succeeded never fails its job.
func TestUnwrittenSuccessIsRetried(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := &hiccup{Store: memory.NewStore()}
		s := newStage(t, config{Store: store}, does(func(_ context.Context, a *queue.Attempt) error {
			store.next.Store(a.Job.Attempt == 1)
			return nil
		}))
		defer s.start()()
		id := s.enqueue("a", "")
		time.Sleep(time.Hour)
		require.Equal(t, queue.Completed, s.job(id).Status)
		require.Equal(t, 2, s.job(id).Attempt)
	})
}

// The wait after a failed attempt follows the kind's schedule or the policy, and is at least the error's RetryAfter.
func TestRetryTimes(t *testing.T) {
	for name, c := range map[string]struct {
		policy   queue.RetryPolicy
		schedule []time.Duration
		after    time.Duration
		want     []time.Duration
	}{
		"policy":       {queue.RetryPolicy{}, nil, 0, []time.Duration{time.Second, 2 * time.Second}},
		"fewer by Max": {queue.RetryPolicy{Base: time.Minute, Max: 2}, nil, 0, []time.Duration{30 * time.Second}},
		"one by Max":   {queue.RetryPolicy{Max: 1}, nil, 0, nil},
		"schedule":     {queue.RetryPolicy{Max: 1}, []time.Duration{time.Hour, 5 * time.Hour, time.Second}, 0, []time.Duration{time.Hour, 5 * time.Hour, time.Second}},
		"no retries":   {queue.RetryPolicy{}, []time.Duration{}, 0, nil},
		"asked for":    {queue.RetryPolicy{Base: 4 * time.Second}, nil, 3 * time.Second, []time.Duration{3 * time.Second, 4 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var at []time.Time
				h := does(func(context.Context, *queue.Attempt) error {
					at = append(at, time.Now())
					return errBusy.After(c.after)
				})
				h.Attempts, h.Schedule = 3, c.schedule
				s := newStage(t, config{Retry: c.policy, Random: func() float64 { return 0.5 }}, h)
				defer s.start()()
				s.enqueue("a", "")
				time.Sleep(24 * time.Hour)
				synctest.Wait()
				var got []time.Duration
				for i := 1; i < len(at); i++ {
					got = append(got, at[i].Sub(at[i-1]))
				}
				require.Equal(t, c.want, got)
			})
		})
	}
}

// A sole worker fails a job of an unknown kind, and goes on with others.
func TestUnknownKind(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, config{SoleWorker: true}, does(func(context.Context, *queue.Attempt) error { return nil }))
		defer s.start()()
		j := s.NewJob("strange", "a", "", time.Now())
		j.Class = queue.ClassImport
		require.NoError(t, s.Update(t.Context(), func(tx engine.Tx) error { return tx.Enqueue(j) }))
		id := s.enqueue("a", "")
		synctest.Wait()
		require.Equal(t, `queue: unknown job kind "strange"`, s.job(j.ID).LastError)
		require.Equal(t, queue.Failed, s.job(j.ID).Status)
		require.Equal(t, queue.Completed, s.job(id).Status)
	})
}

// A job of a kind that one worker doesn't know is left to another one, as while a new version replaces an old one. The attempts of the first
// don't count. If nobody knows the kind, the job fails in the end.
func TestKindOfAnotherVersion(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rows := memory.NewStore()
		before := newStage(t, config{Store: rows}, does(func(context.Context, *queue.Attempt) error { return nil }))
		attempt := 0
		after := newStage(t, config{Store: rows, Handlers: map[queue.Kind]handler{"new": {
			Class: queue.ClassImport, Attempts: 1,
			Run: func(_ context.Context, a *queue.Attempt) (func(engine.Tx) error, error) {
				attempt = a.Job.Attempt
				return nil, nil
			},
		}}}, handler{})
		enqueue := func(id queue.ID) {
			j := after.NewJobWithID(id, "new", string(id), "", time.Now())
			require.NoError(t, before.Update(t.Context(), func(tx engine.Tx) error { return tx.Enqueue(j) }))
		}
		stop := before.start()
		enqueue("first")
		time.Sleep(5 * time.Minute)
		synctest.Wait() // now is also the time of a poll
		require.Equal(t, queue.Queued, before.job("first").Status)
		require.Equal(t, `queue: unknown job kind "new"`, before.job("first").LastError)
		stopAfter := after.start()
		time.Sleep(time.Hour) // the first worker may be quicker some times
		synctest.Wait()
		require.Equal(t, queue.Completed, before.job("first").Status)
		require.Equal(t, 1, attempt)
		stopAfter()
		enqueue("second")
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Equal(t, queue.Failed, before.job("second").Status)
		stop()
	})
}

// Tenants of a class take turns: a tenant's job doesn't wait for all jobs of another one.
func TestTenantsTakeTurns(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var mu sync.Mutex
		var order []string
		s := newStage(t, config{Workers: map[queue.Class]int{queue.ClassImport: 2}}, does(func(_ context.Context, a *queue.Attempt) error {
			mu.Lock()
			order = append(order, a.Job.Tenant)
			mu.Unlock()
			time.Sleep(time.Minute)
			return nil
		}))
		for _, ref := range []string{"1", "2", "3", "4", "5"} {
			s.enqueue(ref, "many")
			time.Sleep(time.Second)
		}
		s.enqueue("6", "one")
		stop := s.start()
		time.Sleep(time.Hour)
		stop()
		require.Len(t, order, 6)
		require.Contains(t, order[:2], "one")
	})
}

// Run's end releases running jobs without counting the attempt. A second concurrent Run is an error; a later one continues.
func TestShutdown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, config{}, does(until))
		id := s.enqueue("a", "")
		for range 10 { // more often than a job's maximum of attempts
			stop := s.start()
			synctest.Wait()
			require.Equal(t, queue.Running, s.job(id).Status)
			require.Error(t, s.Run(t.Context()))
			stop()
			j := s.job(id)
			require.Equal(t, queue.Queued, j.Status)
			require.Zero(t, j.Attempt)
		}
	})
}

// errors.Is matches the causes of an attempt's end with context.Canceled.
func TestCausesAreCanceled(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{queue.ErrShutdown, queue.ErrCanceled, queue.ErrLostLease} {
		require.ErrorIs(t, cause, context.Canceled)
		require.NotErrorIs(t, cause, context.DeadlineExceeded)
	}
	require.False(t, errors.Is(queue.ErrCanceled, queue.ErrShutdown))
}

package queue_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// watched is a store that counts transactions, can be made to fail, and reports each commit.
type watched struct {
	*memory.Store
	views, updates atomic.Int64
	cut            atomic.Bool
	committed      func() // after an Update
	viewed         func() // after a View
}

var errCut = errors.New("cut off")

func (s *watched) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	s.views.Add(1)
	if s.cut.Load() {
		return errCut
	}
	err := s.Store.View(ctx, fn)
	if err == nil && s.viewed != nil {
		s.viewed()
	}
	return err
}

func (s *watched) Update(ctx context.Context, fn func(engine.Tx) error) error {
	s.updates.Add(1)
	if s.cut.Load() {
		return errCut
	}
	err := s.Store.Update(ctx, fn)
	if err == nil && s.committed != nil {
		s.committed()
	}
	return err
}

// An attempt that lost its lease can neither write nor end its job.
func TestFence(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var s *stage
		var late error
		var events atomic.Int32
		s = newStage(t, config{}, handler{Run: func(ctx context.Context, a *queue.Attempt) (func(engine.Tx) error, error) {
			if a.Job.Generation > 1 {
				return nil, until(ctx, a)
			}
			require.NoError(t, s.Fenced(ctx, a, func(engine.Tx) error { return nil }))
			s.change(a.Job.ID, func(j *queue.Job) { j.Generation++ }) // as when another worker takes the lease over
			late = s.Fenced(ctx, a, func(engine.Tx) error { events.Add(1); return nil })
			return func(engine.Tx) error { events.Add(1); return nil }, nil
		}})
		defer s.start()()
		id := s.enqueue("a", "")
		synctest.Wait()
		require.ErrorIs(t, late, queue.ErrLostLease)
		require.Zero(t, events.Load())
		require.Equal(t, queue.Running, s.job(id).Status)
	})
}

// After a worker died and its lease expired, another worker does the job, without counting the attempt. Heartbeats prevent the expiry.
func TestExpiry(t *testing.T) {
	for name, dies := range map[string]bool{"dead": true, "alive": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				rows := memory.NewStore()
				first := &watched{Store: rows}
				a := newStage(t, config{Store: first}, does(until))
				stopA := a.start()
				id := a.enqueue("a", "")
				synctest.Wait()
				first.cut.Store(dies)
				b := newStage(t, config{Store: rows}, does(func(context.Context, *queue.Attempt) error { return nil }))
				stopB := b.start()
				time.Sleep(45 * time.Second) // a lease is 30 s
				j := b.job(id)
				if dies {
					require.Equal(t, queue.Completed, j.Status)
					require.Equal(t, 3, j.Generation, "a claim, an expiry, and a claim")
					require.Equal(t, 1, j.Attempt)
				} else {
					require.Equal(t, queue.Running, j.Status)
					require.Equal(t, 1, j.Generation)
				}
				stopB()
				stopA()
			})
		})
	}
}

// A dead worker's job is canceled if a cancel was requested, and fails after too many crashes. The row gets the reason.
func TestExpiryEnds(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*queue.Job)
		want   queue.Status
		cause  error
	}{
		"canceled":  {func(j *queue.Job) { j.CancelRequested = true }, queue.Canceled, queue.ErrCanceled},
		"abandoned": {func(j *queue.Job) { j.Generation = 50 }, queue.Failed, queue.ErrAbandoned},
		"last life": {func(j *queue.Job) { j.Generation = 49 }, queue.Completed, nil},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var cause error
				h := does(func(context.Context, *queue.Attempt) error { return nil })
				h.Failed = func(_ engine.Tx, _ queue.Job, err error) error { cause = err; return nil }
				s := newStage(t, config{}, h)
				id := s.enqueue("a", "")
				s.change(id, func(j *queue.Job) {
					j.Status, j.Attempt, j.LeaseOwner, j.LeaseUntil = queue.Running, 1, "dead", time.Now()
					c.change(j)
				})
				defer s.start()()
				synctest.Wait()
				require.Equal(t, c.want, s.job(id).Status)
				require.Equal(t, c.cause, cause)
			})
		})
	}
}

// A cancel ends a job immediately if it waits or runs in this process, and within a third of its lease if another process runs it.
func TestCancel(t *testing.T) {
	for name, c := range map[string]struct {
		running, elsewhere, sole bool
		within                   time.Duration
	}{
		"waiting":                    {within: 0},
		"running":                    {running: true},
		"running, sole worker":       {running: true, sole: true},
		"running in another process": {running: true, elsewhere: true, within: 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				rows := memory.NewStore()
				a := newStage(t, config{Store: rows, SoleWorker: c.sole}, does(until))
				other := newStage(t, config{Store: rows}, does(until))
				if c.running {
					defer a.start()()
				}
				id := a.enqueue("a", "")
				synctest.Wait()
				canceler := a
				if c.elsewhere {
					canceler = other
				}
				n, err := canceler.CancelOf(t.Context(), "a")
				require.NoError(t, err)
				require.Equal(t, 1, n)
				time.Sleep(c.within)
				synctest.Wait()
				require.Equal(t, queue.Canceled, a.job(id).Status)
				require.Error(t, a.Cancel(t.Context(), id), "the job has ended")
				n, err = a.CancelOf(t.Context(), "a")
				require.NoError(t, err)
				require.Zero(t, n)
			})
		})
	}
}

// A job that fails before its worker sees a cancel is canceled, not retried.
func TestCancelOfFailing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, config{}, does(func(context.Context, *queue.Attempt) error {
			time.Sleep(time.Second)
			return errBusy
		}))
		defer s.start()()
		id := s.enqueue("a", "")
		synctest.Wait()
		s.change(id, func(j *queue.Job) { j.CancelRequested = true })
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, queue.Canceled, s.job(id).Status)
	})
}

// The end of an attempt doesn't hide the next attempt of the same job, which may begin as soon as the end is written.
func TestCancelOfNextAttempt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		store := &watched{Store: memory.NewStore()}
		written := make(chan struct{})
		s := newStage(t, config{Store: store, SoleWorker: true, Random: func() float64 { return 0 }}, does(func(ctx context.Context, a *queue.Attempt) error {
			if a.Job.Ref == "other" {
				return nil
			}
			if a.Job.Attempt == 1 {
				store.committed = func() { store.committed = nil; <-written } // the goroutine of the first attempt stops after its last write
				return errBusy
			}
			return until(ctx, a)
		}))
		defer s.start()()
		id := s.enqueue("a", "")
		synctest.Wait()
		s.enqueue("other", "") // wakes Run, which finds the retry
		synctest.Wait()
		require.Equal(t, 2, s.job(id).Attempt)
		close(written)
		synctest.Wait()
		require.NoError(t, s.Cancel(t.Context(), id))
		synctest.Wait()
		require.Equal(t, queue.Canceled, s.job(id).Status)
	})
}

// CancelOf doesn't cancel clean-up jobs.
func TestCancelLeavesMaintenance(t *testing.T) {
	t.Parallel()
	s := newStage(t, config{}, handler{Class: queue.ClassMaintain})
	id := s.enqueue("a", "")
	n, err := s.CancelOf(t.Context(), "a")
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, queue.Queued, s.job(id).Status)
}

// A sole worker's leases never expire. It sends no heartbeats, and doesn't read the store while it is idle.
func TestSoleWorkerIsQuiet(t *testing.T) {
	for name, sole := range map[string]bool{"sole": true, "shared": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				rows := &watched{Store: memory.NewStore()}
				s := newStage(t, config{Store: rows, SoleWorker: sole}, does(until))
				defer s.start()()
				id := s.enqueue("a", "")
				synctest.Wait()
				views, updates := rows.views.Load(), rows.updates.Load()
				time.Sleep(24 * time.Hour)
				require.Equal(t, sole, views == rows.views.Load())
				require.Equal(t, sole, updates == rows.updates.Load())
				require.Equal(t, sole, s.job(id).LeaseUntil.Equal(queue.Never))
			})
		})
	}
}

// A sole worker immediately takes over what an earlier process left, but not its own jobs.
func TestSoleWorkerTakesOver(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, config{SoleWorker: true}, does(func(context.Context, *queue.Attempt) error { return nil }))
		id := s.enqueue("a", "")
		s.change(id, func(j *queue.Job) {
			j.Status, j.Attempt, j.Generation, j.LeaseUntil = queue.Running, 1, 1, time.Now().Add(time.Hour)
		})
		defer s.start()()
		synctest.Wait()
		require.Equal(t, queue.Completed, s.job(id).Status)
	})
}

// A sole worker, which has no heartbeat, doesn't lose a cancel between a job's claim and its attempt.
func TestSoleWorkerHeedsEarlyCancel(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rows := &watched{Store: memory.NewStore()}
		s := newStage(t, config{Store: rows, SoleWorker: true}, does(until))
		id := s.enqueue("a", "")
		rows.committed = func() {
			rows.committed = nil // the claim
			require.NoError(t, rows.Store.Update(t.Context(), func(tx engine.Tx) error {
				j, err := tx.Job(id)
				j.CancelRequested = true
				return errors.Join(err, tx.PutJob(j))
			}))
		}
		defer s.start()()
		synctest.Wait()
		require.Equal(t, queue.Canceled, s.job(id).Status)
	})
}

// A sole worker repeats a job whose end it couldn't write, soon after the store recovers.
func TestUnsaved(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rows := &watched{Store: memory.NewStore()}
		attempts := 0
		s := newStage(t, config{Store: rows, SoleWorker: true}, does(func(context.Context, *queue.Attempt) error {
			attempts++
			rows.cut.Store(attempts == 1)
			return nil
		}))
		defer s.start()()
		id := s.enqueue("a", "")
		time.Sleep(time.Hour)
		synctest.Wait() // a mere sleep doesn't order the read of attempts after its write
		require.Equal(t, 1, attempts)
		rows.cut.Store(false)
		require.Equal(t, queue.Running, s.job(id).Status)
		time.Sleep(15 * time.Second)
		require.Equal(t, queue.Completed, s.job(id).Status)
		require.Equal(t, 2, attempts)
		views := rows.views.Load()
		time.Sleep(time.Hour)
		require.Equal(t, views, rows.views.Load(), "everything is written")
	})
}

// A sole worker repeats a job if the store refused both its result and its failure, and works again.
func TestUnsavedOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rows := &faulty{Store: memory.NewStore(), fails: "PutJob"}
		attempts := 0
		s := newStage(t, config{Store: rows, SoleWorker: true}, does(func(context.Context, *queue.Attempt) error {
			if attempts++; attempts == 1 {
				rows.failures.Store(2)
			}
			return nil
		}))
		defer s.start()()
		id := s.enqueue("a", "")
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, 2, attempts)
		require.Equal(t, queue.Completed, s.job(id).Status)
	})
}

// An attempt stops when another worker took its job over, or when it couldn't renew its lease until the lease expired.
func TestLostLeaseStops(t *testing.T) {
	for name, c := range map[string]struct {
		lose   func(*stage, *watched, queue.ID)
		within time.Duration
	}{
		"taken over":    {func(s *stage, _ *watched, id queue.ID) { s.change(id, func(j *queue.Job) { j.Generation++ }) }, 10 * time.Second},
		"store is away": {func(_ *stage, rows *watched, _ queue.ID) { rows.cut.Store(true) }, 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var cause error
				var stopped time.Time
				rows := &watched{Store: memory.NewStore()}
				s := newStage(t, config{Store: rows}, does(func(ctx context.Context, a *queue.Attempt) error {
					cause = until(ctx, a)
					stopped = time.Now()
					return cause
				}))
				began := time.Now()
				defer s.start()()
				id := s.enqueue("a", "")
				synctest.Wait()
				c.lose(s, rows, id)
				time.Sleep(time.Minute)
				synctest.Wait()
				require.ErrorIs(t, cause, queue.ErrLostLease)
				require.Equal(t, c.within, stopped.Sub(began))
			})
		})
	}
}

package queue_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// observer records its calls, and does what a test sets.
type observer struct {
	mu      sync.Mutex
	told    []string
	running int
	idle    bool
	idles   int // calls of Idle before the first attempt
	next    time.Time
	changed chan struct{}

	delay time.Duration
	ended func(*queue.Attempt)
	work  func(context.Context, *queue.Attempt) error
}

func (o *observer) note(format string, args ...any) {
	o.told = append(o.told, fmt.Sprintf(format, args...))
}

func (o *observer) Enqueued(_ context.Context, tx engine.ReadTx, j queue.Job) (time.Time, error) {
	if j.Ref == "refused" {
		return time.Time{}, errBroken
	}
	_, err := tx.Job(j.ID)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.note("enqueued %s %s", j.Ref, engine.CodeOf(err))
	return j.RunAt.Add(o.delay), nil
}

func (o *observer) Started(a *queue.Attempt) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.running++
	o.note("started %s %d", a.Job.Ref, a.Job.Attempt)
}

func (o *observer) Work(ctx context.Context, a *queue.Attempt) error {
	if o.work != nil {
		return o.work(ctx, a)
	}
	return a.Do(ctx)
}

func (o *observer) Ended(a *queue.Attempt, event queue.Event) {
	if o.ended != nil {
		o.ended(a)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.running--
	o.note("ended %s %s", a.Job.Ref, event)
	o.change()
}

func (o *observer) Idle(next time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.idle, o.next = true, next
	if !slices.ContainsFunc(o.told, func(s string) bool { return strings.HasPrefix(s, "started") }) {
		o.idles++
	}
	o.change()
}

func (o *observer) Woken() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.idle = false
}

func (o *observer) change() {
	if o.changed != nil {
		close(o.changed)
		o.changed = nil
	}
}

func (o *observer) state() (told []string, running int, idle bool, next time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string(nil), o.told...), o.running, o.idle, o.next
}

// settle waits until the queue is idle and no attempt runs.
func (o *observer) settle() {
	for {
		o.mu.Lock()
		done := o.idle && o.running == 0
		if o.changed == nil {
			o.changed = make(chan struct{})
		}
		changed := o.changed
		o.mu.Unlock()
		if done {
			return
		}
		<-changed
	}
}

// An observer gets all calls in order, and can change when a job is due.
func TestObserverOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := &observer{delay: time.Minute}
		h := does(func(_ context.Context, a *queue.Attempt) error {
			if !a.Last {
				return errBusy
			}
			return nil
		})
		h.Attempts = 2
		s := newStage(t, config{Observer: o, Random: func() float64 { return 0.5 }}, h)
		_, _, idle, _ := o.state()
		require.False(t, idle, "Run has not started")
		stop := s.start()
		began := time.Now()
		id := s.enqueue("a", "")
		synctest.Wait()
		_, _, idle, next := o.state()
		require.True(t, idle)
		require.Equal(t, began.Add(time.Minute), next.Local())
		require.Equal(t, queue.Queued, s.job(id).Status)
		time.Sleep(time.Hour)
		told, running, idle, next := o.state()
		require.Equal(t, []string{"enqueued a not_found", "started a 1", "ended a errored", "started a 2", "ended a finished"}, told)
		require.Zero(t, running)
		require.True(t, idle)
		require.True(t, next.IsZero())
		stop()
		_, _, idle, _ = o.state()
		require.False(t, idle, "Run has ended")
	})
}

// An error of Enqueued fails the transaction.
func TestObserverRefuses(t *testing.T) {
	t.Parallel()
	s := newStage(t, config{Observer: &observer{}}, does(until))
	j := s.NewJob("work", "refused", "", time.Now())
	err := s.Update(t.Context(), func(tx engine.Tx) error { return tx.Enqueue(j) })
	require.ErrorIs(t, err, errBroken)
}

// An observer decides how an attempt ends: it can replace the work, turn success into failure, and delay the end.
func TestObserverWork(t *testing.T) {
	for name, c := range map[string]struct {
		work func(context.Context, *queue.Attempt) error
		done []string
		want queue.Status
	}{
		"replaces the work": {func(ctx context.Context, a *queue.Attempt) error {
			if err := a.Start(ctx); err != nil {
				return err
			}
			return errBroken
		}, []string{"start"}, queue.Failed},
		"turns success into failure": {func(ctx context.Context, a *queue.Attempt) error {
			if err := a.Do(ctx); err != nil {
				return err
			}
			return errBroken
		}, []string{"start", "run"}, queue.Failed},
		"cancels": {func(context.Context, *queue.Attempt) error { return queue.ErrCanceled }, nil, queue.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var done []string
				s := newStage(t, config{Observer: &observer{work: c.work}}, handler{
					Start: func(context.Context, *queue.Attempt) error { done = append(done, "start"); return nil },
					Run: func(context.Context, *queue.Attempt) (func(engine.Tx) error, error) {
						done = append(done, "run")
						return func(engine.Tx) error { done = append(done, "finish"); return nil }, nil
					},
				})
				defer s.start()()
				id := s.enqueue("a", "")
				synctest.Wait()
				require.Equal(t, c.done, done)
				require.Equal(t, c.want, s.job(id).Status)
			})
		})
	}
}

// An attempt that released its worker lets others work. It ends when its observer returns, or immediately when canceled.
func TestReleaseWorker(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := &observer{work: func(ctx context.Context, a *queue.Attempt) error {
			err := a.Do(ctx)
			a.ReleaseWorker()
			a.ReleaseWorker() // idempotent
			select {
			case <-ctx.Done():
				return a.Err()
			case <-time.After(time.Hour):
				return err
			}
		}}
		s := newStage(t, config{Observer: o, Workers: map[queue.Class]int{queue.ClassImport: 1}}, does(func(context.Context, *queue.Attempt) error {
			return nil
		}))
		defer s.start()()
		var ids []queue.ID
		for _, ref := range []string{"a", "b", "c"} {
			ids = append(ids, s.enqueue(ref, ""))
		}
		synctest.Wait()
		for _, id := range ids {
			require.Equal(t, queue.Running, s.job(id).Status)
		}
		require.NoError(t, s.Cancel(t.Context(), ids[0]))
		synctest.Wait()
		require.Equal(t, queue.Canceled, s.job(ids[0]).Status)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Equal(t, queue.Completed, s.job(ids[2]).Status)
	})
}

// Ended is called after the worker is free, so a job that waits for the worker counts as due.
func TestEndedAfterRelease(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var s *stage
		o := &observer{ended: func(a *queue.Attempt) {
			if a.Job.Ref == "a" {
				time.Sleep(time.Second)
				if got := s.job("job-002").Status; got != queue.Running {
					t.Errorf("the next job is %s", got)
				}
			}
		}}
		s = newStage(t, config{Observer: o, Workers: map[queue.Class]int{queue.ClassImport: 1}}, does(func(context.Context, *queue.Attempt) error {
			time.Sleep(time.Minute)
			return nil
		}))
		defer s.start()()
		s.enqueue("a", "")
		time.Sleep(time.Second)
		s.enqueue("b", "")
		time.Sleep(time.Hour)
		told, _, _, _ := o.state()
		require.Contains(t, told, "ended b finished")
	})
}

// A job enqueued between the queue's check and its wait prevents Idle.
func TestIdleNotAfterNews(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rows, o := &watched{Store: memory.NewStore()}, &observer{}
		s := newStage(t, config{Store: rows, Observer: o, SoleWorker: true}, does(func(context.Context, *queue.Attempt) error { return nil }))
		looks := 0
		rows.viewed = func() {
			if looks++; looks == 2 { // the first check is for the leases of an earlier process
				rows.viewed = nil
				s.enqueue("a", "")
			}
		}
		defer s.start()()
		synctest.Wait()
		told, _, idle, _ := o.state()
		require.Equal(t, []string{"enqueued a not_found", "started a 1", "ended a finished"}, told)
		require.True(t, idle)
		require.Zero(t, o.idles, "the job was due")
	})
}

// The queue continues when Idle's time is reached, and calls Woken.
func TestWokenByTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := &observer{delay: time.Minute}
		s := newStage(t, config{Observer: o, SoleWorker: true}, does(func(context.Context, *queue.Attempt) error { return nil }))
		o.work = func(ctx context.Context, a *queue.Attempt) error {
			_, _, idle, next := o.state()
			require.False(t, idle && !next.IsZero(), "the queue has continued")
			return a.Do(ctx)
		}
		defer s.start()()
		s.enqueue("a", "")
		time.Sleep(time.Hour)
		told, _, _, _ := o.state()
		require.Contains(t, told, "ended a finished")
	})
}

// Idle is exact: after a client enqueues a job and waits until the queue is idle and nothing runs, the job is done. This holds for many
// concurrent clients.
func TestIdleIsExact(t *testing.T) {
	t.Parallel()
	for name, sole := range map[string]bool{"sole": true, "shared": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &observer{}
			s := newStage(t, config{Observer: o, SoleWorker: sole, Workers: map[queue.Class]int{queue.ClassImport: 2}},
				does(func(context.Context, *queue.Attempt) error { return nil }))
			defer s.start()()
			var clients sync.WaitGroup
			for client := range 8 {
				clients.Go(func() {
					for i := range 50 {
						id := s.enqueue(fmt.Sprint(client, "-", i), "")
						o.settle()
						if got := s.job(id).Status; got != queue.Completed {
							t.Errorf("job %s is %s although the queue is idle", id, got)
							return
						}
					}
				})
			}
			clients.Wait()
		})
	}
}

package queue_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
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

var errDisk = errors.New("disk failed")

// faulty is a store. Of the operation that fails names, the next failures calls fail.
type faulty struct {
	*memory.Store
	fails    string
	failures atomic.Int64
}

func (s *faulty) fail(operation string) error {
	if operation == s.fails && s.failures.Add(-1) >= 0 {
		return errDisk
	}
	return nil
}

func (s *faulty) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	return s.Store.View(ctx, func(tx engine.ReadTx) error { return fn(faultyRead{tx, s}) })
}

func (s *faulty) Update(ctx context.Context, fn func(engine.Tx) error) error {
	return s.Store.Update(ctx, func(tx engine.Tx) error { return fn(faultyTx{tx, s}) })
}

type faultyRead struct {
	engine.ReadTx
	s *faulty
}

func (tx faultyRead) JobByKey(key string) (queue.Job, error) {
	j, err := tx.ReadTx.JobByKey(key)
	return j, errors.Join(err, tx.s.fail("JobByKey"))
}

func (tx faultyRead) LeasedJobs() ([]queue.Job, error) {
	all, err := tx.ReadTx.LeasedJobs()
	return all, errors.Join(err, tx.s.fail("LeasedJobs"))
}

func (tx faultyRead) NextJobAt(classes []queue.Class, skip map[queue.Class]string) (time.Time, bool, error) {
	at, ok, err := tx.ReadTx.NextJobAt(classes, skip)
	return at, ok, errors.Join(err, tx.s.fail("NextJobAt"))
}

type faultyTx struct {
	engine.Tx
	s *faulty
}

func (tx faultyTx) Job(id queue.ID) (queue.Job, error) {
	j, err := tx.Tx.Job(id)
	return j, errors.Join(err, tx.s.fail("Job"))
}

func (tx faultyTx) PutJob(j queue.Job) error {
	return errors.Join(tx.s.fail("PutJob"), tx.Tx.PutJob(j))
}

func (tx faultyTx) DueJob(class queue.Class, now time.Time, skip map[queue.Class]string) (queue.Job, error) {
	if err := tx.s.fail("DueJob"); err != nil {
		return queue.Job{}, err
	}
	return tx.Tx.DueJob(class, now, skip)
}

// logged is a log that can be read while it is written.
type logged struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(line)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// Cancel, CancelOf, and Fenced return the errors of the store and of the handler.
func TestErrorsReachTheCaller(t *testing.T) {
	t.Parallel()
	attempt := func(id queue.ID) *queue.Attempt { return &queue.Attempt{Job: queue.Job{ID: id}} }
	for name, c := range map[string]struct {
		fails string
		call  func(*stage, queue.ID) error
	}{
		"Cancel, read":    {"Job", func(s *stage, id queue.ID) error { return s.Cancel(t.Context(), id) }},
		"Cancel, write":   {"PutJob", func(s *stage, id queue.ID) error { return s.Cancel(t.Context(), id) }},
		"Cancel, handler": {"Failed", func(s *stage, id queue.ID) error { return s.Cancel(t.Context(), id) }},
		"CancelOf, read":  {"JobByKey", func(s *stage, _ queue.ID) error { _, err := s.CancelOf(t.Context(), "a"); return err }},
		"CancelOf, write": {"PutJob", func(s *stage, _ queue.ID) error { _, err := s.CancelOf(t.Context(), "a"); return err }},
		"Fenced, read": {"Job", func(s *stage, id queue.ID) error {
			return s.Fenced(t.Context(), attempt(id), func(engine.Tx) error { t.Error("it has no job"); return nil })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows := &faulty{Store: memory.NewStore(), fails: c.fails}
			h := does(until)
			h.Failed = func(engine.Tx, queue.Job, error) error { return rows.fail("Failed") }
			s := newStage(t, config{Store: rows}, h)
			id := s.enqueue("a", "")
			rows.failures.Store(1)
			require.ErrorIs(t, c.call(s, id), errDisk)
			require.Equal(t, queue.Queued, s.job(id).Status, "nothing was written")
		})
	}
}

// The error of a fenced write reaches its caller.
func TestFencedError(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var s *stage
		s = newStage(t, config{}, does(func(ctx context.Context, a *queue.Attempt) error {
			return s.Fenced(ctx, a, func(engine.Tx) error { return errBroken })
		}))
		defer s.start()()
		id := s.enqueue("a", "")
		synctest.Wait()
		require.Equal(t, "Broken.", s.job(id).LastError)
	})
}

// If the store fails, Run logs it, pauses for a second, and does the job afterwards. Nothing is claimed twice.
func TestRunSurvivesTheStore(t *testing.T) {
	for _, fails := range []string{"NextJobAt", "LeasedJobs", "DueJob", "PutJob", "Expire, read", "Expire, write", "Expire, handler"} {
		t.Run(fails, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				rows := &faulty{Store: memory.NewStore(), fails: fails}
				var log logged
				h := does(func(context.Context, *queue.Attempt) error { return nil })
				h.Failed = func(engine.Tx, queue.Job, error) error { return rows.fail(fails) }
				s := newStage(t, config{Store: rows, Log: slog.New(slog.NewTextHandler(&log, nil))}, h)
				id := s.enqueue("a", "")
				want, attempts := queue.Completed, 1
				if operation := map[string]string{"Expire, read": "Job", "Expire, write": "PutJob", "Expire, handler": fails}[fails]; operation != "" {
					s.change(id, func(j *queue.Job) { // as a process that died left it
						j.Status, j.Attempt, j.LeaseUntil, j.CancelRequested = queue.Running, 1, time.Now(), true
					})
					rows.fails, want = operation, queue.Canceled
				}
				rows.failures.Store(2)
				began := time.Now()
				defer s.start()()
				time.Sleep(1500 * time.Millisecond)
				synctest.Wait()
				require.Equal(t, 2, strings.Count(log.String(), `msg="dispatching jobs failed" err="disk failed"`), log.String())
				time.Sleep(time.Second)
				j := s.job(id)
				require.Equal(t, want, j.Status)
				require.Equal(t, attempts, j.Attempt)
				require.Equal(t, 2*time.Second, j.UpdatedAt.Sub(began.Truncate(time.Microsecond)))
			})
		})
	}
}

// If the end of a job can't be written, the log says so, and the job runs again when its lease has expired. This holds for the job's row
// and for what the handler writes with it.
func TestEndNotWritten(t *testing.T) {
	for name, c := range map[string]struct {
		result error // of the work
		want   queue.Status
	}{
		"finish":  {nil, queue.Failed},
		"Failed":  {errBroken, queue.Failed},
		"Retried": {errBusy, queue.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var log logged
				var runs atomic.Int64
				fail := func(part string) error {
					if part == name && runs.Load() == 1 {
						return errDisk
					}
					return nil
				}
				s := newStage(t, config{Log: slog.New(slog.NewTextHandler(&log, nil))}, handler{
					Attempts: 2,
					Run: func(context.Context, *queue.Attempt) (func(engine.Tx) error, error) {
						runs.Add(1)
						return func(engine.Tx) error { return fail("finish") }, c.result
					},
					Failed:  func(engine.Tx, queue.Job, error) error { return fail("Failed") },
					Retried: func(engine.Tx, queue.Job, error) error { return fail("Retried") },
				})
				defer s.start()()
				id := s.enqueue("a", "")
				time.Sleep(time.Second)
				synctest.Wait()
				if name == "finish" { // the store works, so the failure itself is written
					require.Equal(t, "disk failed", s.job(id).LastError)
					return
				}
				require.Contains(t, log.String(), "the end of a job could not be written")
				require.Equal(t, queue.Running, s.job(id).Status)
				time.Sleep(time.Hour)
				synctest.Wait()
				require.Equal(t, c.want, s.job(id).Status)
				require.Greater(t, runs.Load(), int64(1))
			})
		})
	}
}

// A job that waits for its retry has no lease, and says when it was changed and why it failed.
func TestRetryingRow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, config{Random: func() float64 { return 0.5 }}, does(func(context.Context, *queue.Attempt) error {
			time.Sleep(time.Minute)
			return errBusy
		}))
		id := s.enqueue("a", "")
		began := s.job(id).CreatedAt
		stop := s.start()
		time.Sleep(time.Minute + time.Millisecond)
		j := s.job(id)
		stop()
		require.Equal(t, queue.Retrying, j.Status)
		require.Empty(t, j.LeaseOwner)
		require.Zero(t, j.LeaseUntil)
		require.Equal(t, began.Add(time.Minute), j.UpdatedAt)
		require.Equal(t, began.Add(time.Minute+time.Second), j.RunAt)
		require.Equal(t, "Busy.", j.LastError)
	})
}

// interrupted is a store whose transactions, once armed, run and then fail because the store could not be reached in time.
type interrupted struct {
	*memory.Store
	armed atomic.Bool
}

func (s *interrupted) Update(ctx context.Context, fn func(engine.Tx) error) error {
	if !s.armed.Swap(false) {
		return s.Store.Update(ctx, fn)
	}
	_ = s.Store.Update(ctx, func(tx engine.Tx) error { return fn(tx) })
	return context.DeadlineExceeded
}

// A job whose end can't be written in time runs again, also if its last function has failed because of that.
func TestEndInterrupted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rows := &interrupted{Store: memory.NewStore()}
		runs := 0
		s := newStage(t, config{Store: rows}, handler{Run: func(context.Context, *queue.Attempt) (func(engine.Tx) error, error) {
			runs++
			if runs > 1 {
				return nil, nil
			}
			rows.armed.Store(true)
			return func(engine.Tx) error { return errDisk }, nil
		}})
		defer s.start()()
		id := s.enqueue("a", "")
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, queue.Completed, s.job(id).Status)
		require.Equal(t, 2, runs)
	})
}

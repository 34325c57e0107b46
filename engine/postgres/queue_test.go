package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// worker is one process's queue of jobs of the kind "kind", whose work is fn.
type worker struct {
	*queue.Queue[engine.ReadTx, engine.Tx]
	stop func()
}

// newWorker runs a queue on a database until the end of the test or until stop is called.
func newWorker(t testing.TB, s *postgres.Store, slots int, lease time.Duration, fn func(context.Context, queue.Job) error) worker {
	t.Helper()
	n := 0
	var mu sync.Mutex
	q, err := queue.New(queue.Config[engine.ReadTx, engine.Tx]{
		Store: s, Deliverer: s, Clock: s.Clock(), Workers: map[queue.Class]int{"class": slots}, Lease: lease,
		NewID: func() queue.ID {
			mu.Lock()
			defer mu.Unlock()
			n++
			return queue.ID(fmt.Sprintf("%p-%d", s, n))
		},
		Classify: func(err error) queue.Failure {
			return queue.Failure{NotFound: engine.CodeOf(err) == engine.CodeNotFound}
		},
		Handlers: map[queue.Kind]queue.Handler[engine.Tx]{"kind": {Class: "class", Attempts: 3, Run: func(ctx context.Context, a *queue.Attempt) (func(engine.Tx) error, error) {
			return nil, fn(ctx, a.Job)
		}}},
	})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- q.Run(ctx) }()
	stop := sync.OnceFunc(func() { cancel(); require.NoError(t, <-done) })
	t.Cleanup(stop)
	return worker{q, stop}
}

// enqueue commits jobs of a tenant that have been due for a second, whatever the clocks of this machine and of the server say.
func (w worker) enqueue(t testing.TB, tenant string, refs ...string) {
	t.Helper()
	due := time.Now().Add(-time.Second)
	require.NoError(t, w.Update(t.Context(), func(tx engine.Tx) error {
		for _, ref := range refs {
			if err := tx.Enqueue(w.NewJob("kind", ref, tenant, due)); err != nil {
				return err
			}
		}
		return nil
	}))
}

func refs(prefix string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("%s%05d", prefix, i))
	}
	return list
}

// A job that one process enqueues is done by another, once.
func TestDelivery(t *testing.T) {
	t.Parallel()
	url := database(t)
	done := make(chan string, 1000)
	first := newWorker(t, openAt(t, url), 0, 0, nil)
	for range 3 {
		newWorker(t, openAt(t, url), 4, 0, func(_ context.Context, j queue.Job) error { done <- j.Ref; return nil })
	}
	first.enqueue(t, "tenant", refs("r", 200)...)
	seen := map[string]bool{}
	for range 200 {
		select {
		case ref := <-done:
			require.False(t, seen[ref], ref)
			seen[ref] = true
		case <-time.After(20 * time.Second):
			require.FailNow(t, "jobs are missing", "%d done", len(seen))
		}
	}
	require.Empty(t, done)
}

// A tenant with 10,000 waiting jobs delays the first job of another by at most the time in which a worker becomes free.
func TestDeliveryIsFair(t *testing.T) {
	t.Parallel()
	s := open(t)
	release, began := make(chan struct{}), make(chan queue.Job, 20_000)
	w := newWorker(t, s, 2, time.Minute, func(ctx context.Context, j queue.Job) error {
		began <- j
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	w.enqueue(t, "flood", refs("flood", 10_000)...)
	for range 2 {
		require.Equal(t, "flood", (<-began).Tenant)
	}
	w.enqueue(t, "other", "other")
	release <- struct{}{}
	select {
	case j := <-began:
		require.Equal(t, "other", j.Tenant)
	case <-time.After(10 * time.Second):
		require.FailNow(t, "no job began")
	}
}

// A cancel in one process stops the job in another at once, long before its lease is renewed.
func TestCancelAcrossProcesses(t *testing.T) {
	t.Parallel()
	url := database(t)
	first := newWorker(t, openAt(t, url), 0, 0, nil)
	began, ended := make(chan queue.Job), make(chan error)
	newWorker(t, openAt(t, url), 1, time.Hour, func(ctx context.Context, j queue.Job) error {
		began <- j
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return context.Cause(ctx)
	})
	first.enqueue(t, "tenant", "ref")
	j := <-began
	require.NoError(t, first.Cancel(t.Context(), j.ID))
	select {
	case err := <-ended:
		require.ErrorIs(t, err, queue.ErrCanceled)
	case <-time.After(10 * time.Second):
		require.FailNow(t, "the job goes on")
	}
}

// A worker that stops gives its job back at once, and another one goes on.
func TestStopGivesBack(t *testing.T) {
	t.Parallel()
	url := database(t)
	began := make(chan string, 10)
	wait := func(name string) func(context.Context, queue.Job) error {
		return func(ctx context.Context, _ queue.Job) error {
			began <- name
			<-ctx.Done()
			return context.Cause(ctx)
		}
	}
	one := newWorker(t, openAt(t, url), 1, time.Hour, wait("one"))
	one.enqueue(t, "tenant", "ref")
	require.Equal(t, "one", <-began)
	newWorker(t, openAt(t, url), 1, time.Hour, wait("two"))
	start := time.Now()
	one.stop()
	require.Equal(t, "two", <-began)
	t.Logf("resumed after %v", time.Since(start))
}

// A job whose River job was lost is still done.
func TestLostDelivery(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := openAt(t, url)
	first := newWorker(t, s, 0, 0, nil)
	first.enqueue(t, "tenant", "ref")
	require.NoError(t, s.Exec(t.Context(), "DELETE FROM river_job"))
	require.NoError(t, s.Exec(t.Context(), "UPDATE jobs SET run_at = run_at - 60000000"))
	done := make(chan queue.Job)
	newWorker(t, openAt(t, url), 1, 0, func(_ context.Context, j queue.Job) error { done <- j; return nil })
	select {
	case j := <-done:
		require.Equal(t, "ref", j.Ref)
	case <-time.After(20 * time.Second):
		require.FailNow(t, "the job was lost")
	}
}

// A worker that is stopped leaves no job claimed, even if it was just claiming one, and others continue its jobs within 2 seconds.
func TestStopWhileClaiming(t *testing.T) {
	t.Parallel()
	url := database(t)
	done := make(chan string, 10_000)
	work := func(_ context.Context, j queue.Job) error { done <- j.Ref; return nil }
	s := openAt(t, url)
	first, stopped := newWorker(t, openAt(t, url), 2, time.Hour, work), 0
	for ; stopped < 8; stopped++ {
		second := newWorker(t, s, 8, time.Hour, work)
		for i := range 20 {
			first.enqueue(t, "tenant", refs(fmt.Sprintf("r%d-%d-", stopped, i), 5)...)
		}
		second.stop()
	}
	seen := map[string]bool{}
	for len(seen) < stopped*100 {
		select {
		case ref := <-done:
			seen[ref] = true
		case <-time.After(15 * time.Second): // the limit of 2 seconds is for one job; this is many, on a busy machine
			require.FailNow(t, "jobs are missing", "%d of %d done", len(seen), stopped*100)
		}
	}
}

// Jobs whose deliveries are lost, as when a worker is killed before it claims what River gave it, begin together.
func TestLostDeliveries(t *testing.T) {
	t.Parallel()
	url := database(t)
	s := openAt(t, url)
	newWorker(t, s, 0, 0, nil).enqueue(t, "tenant", refs("r", 8)...)
	require.NoError(t, s.Exec(t.Context(), "DELETE FROM river_job"))
	require.NoError(t, s.Exec(t.Context(), "UPDATE jobs SET run_at = run_at - 60000000"))
	began := make(chan time.Time, 8)
	newWorker(t, openAt(t, url), 8, 0, func(context.Context, queue.Job) error { began <- time.Now(); return nil })
	first := <-began
	for range 7 {
		require.Less(t, (<-began).Sub(first), 3*time.Second)
	}
}

// All finished jobs that are older than a week are deleted, however many there are, and no others.
func TestOldJobs(t *testing.T) {
	t.Parallel()
	s := open(t)
	const insert = `INSERT INTO jobs SELECT status || age || '-' || i, status || age || '-' || i, 'kind', 'class', 'ref', 'tenant', status, 1, 1, 1, '', 0, false, '', 1,
		(extract(epoch FROM now()) * 1000000)::bigint - age * 24 * 3600 * 1000000::bigint, 0
		FROM generate_series(1, %d) AS i, (VALUES ('%s'), ('%s')) AS s (status), (VALUES (%d)) AS a (age)`
	require.NoError(t, s.Exec(t.Context(), fmt.Sprintf(insert, 12_000, "completed", "failed", 8)))
	require.NoError(t, s.Exec(t.Context(), fmt.Sprintf(insert, 1, "canceled", "completed", 6)))
	require.NoError(t, s.Exec(t.Context(), fmt.Sprintf(insert, 1, "queued", "retrying", 8)))
	s.Tidy(t.Context())
	var left []queue.ID
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		jobs, err := tx.JobsOf("ref")
		for _, j := range jobs {
			left = append(left, j.ID)
		}
		return err
	}))
	require.ElementsMatch(t, []queue.ID{"canceled6-1", "completed6-1", "queued8-1", "retrying8-1"}, left)
}

package queue_test

import (
	"context"
	"maps"
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

// crowd is a queue whose jobs last until they are ended by their Ref. Those named "released" free their worker meanwhile.
type crowd struct {
	*stage
	store   *watched
	mu      sync.Mutex
	running map[string]chan struct{} // by Ref
}

func newCrowd(t *testing.T, workers int, c config) *crowd {
	s := &crowd{store: &watched{Store: memory.NewStore()}, running: map[string]chan struct{}{}}
	s.store.viewed = func() {
		if s.store.views.Load() > 1000 {
			time.Sleep(time.Hour) // a Run that spins would block its bubble
		}
	}
	c.Store = s.store
	c.Workers = map[queue.Class]int{queue.ClassImport: workers}
	s.stage = newStage(t, c, does(func(ctx context.Context, a *queue.Attempt) error {
		ended := make(chan struct{})
		s.mu.Lock()
		s.running[a.Job.Ref] = ended
		s.mu.Unlock()
		if strings.HasPrefix(a.Job.Ref, "released") {
			a.ReleaseWorker()
		}
		defer func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.running, a.Job.Ref)
		}()
		select {
		case <-ended:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}))
	return s
}

// enqueue adds jobs of a tenant, each 1 s after the other.
func (s *crowd) enqueue(tenant string, refs ...string) {
	for _, ref := range refs {
		s.stage.enqueue(ref, tenant)
		time.Sleep(time.Second)
	}
}

func (s *crowd) end(ref string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.running[ref])
}

// requireRunning waits until nothing happens any more, and compares the jobs that run.
func (s *crowd) requireRunning(refs ...string) {
	s.t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	var got []string
	for ref := range maps.Keys(s.running) {
		got = append(got, ref)
	}
	require.ElementsMatch(s.t, refs, got)
}

// A tenant that is alone has all workers. While it has them, another tenant's job doesn't wait.
func TestOneTenantNeverHoldsAllWorkers(t *testing.T) {
	for name, sole := range map[string]bool{"leases": false, "sole worker": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := newCrowd(t, 2, config{SoleWorker: sole})
				defer s.start()()
				s.enqueue("many", "m1", "m2", "m3", "m4")
				s.requireRunning("m1", "m2")
				s.enqueue("one", "o1", "o2")
				s.requireRunning("m1", "m2", "o1")
				s.enqueue("third", "t1")
				s.requireRunning("m1", "m2", "o1") // only a tenant with all workers is a reason for one more
				s.end("o1")
				s.requireRunning("m1", "m2", "o2")
				s.end("m1")
				s.requireRunning("m2", "o2") // as many as there are workers
				s.end("m2")
				s.requireRunning("m3", "o2")
				s.end("o2")
				s.requireRunning("m3", "t1")
			})
		})
	}
}

// Jobs without a tenant count as those of one tenant.
func TestJobsWithoutTenantShare(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newCrowd(t, 2, config{})
		defer s.start()()
		s.enqueue("", "1", "2", "3")
		s.requireRunning("1", "2")
		s.enqueue("one", "o1")
		s.requireRunning("1", "2", "o1")
	})
}

// A class of one worker stays sequential, and a class of no workers does nothing.
func TestOneWorkerIsSequential(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for workers, running := range [][]string{nil, {"m1"}} {
			s := newCrowd(t, workers, config{})
			stop := s.start()
			s.enqueue("many", "m1")
			s.enqueue("one", "o1")
			s.requireRunning(running...)
			stop()
		}
	})
}

// An attempt that released its worker no longer counts as its tenant's.
func TestReleasedWorkersHaveNoTenant(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newCrowd(t, 2, config{})
		defer s.start()()
		s.enqueue("many", "released 1", "released 2")
		s.enqueue("one", "o1", "o2", "o3")
		s.requireRunning("released 1", "released 2", "o1", "o2")
		s.enqueue("many", "m1", "m2")
		s.requireRunning("released 1", "released 2", "o1", "o2", "m1")
		s.end("released 1")
		s.end("released 2")
		s.requireRunning("o1", "o2", "m1")
	})
}

// Due jobs that must wait for their tenant's own workers don't keep Run busy.
func TestSkippedJobsDontSpin(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newCrowd(t, 2, config{SoleWorker: true})
		defer s.start()()
		s.enqueue("many", "m1", "m2", "m3", "m4")
		s.requireRunning("m1", "m2")
		require.Less(t, s.store.views.Load(), int64(50))
		s.enqueue("one", "o1")
		s.requireRunning("m1", "m2", "o1")
		require.Less(t, s.store.views.Load(), int64(50))
	})
}

// A job that becomes due later is awaited, though its class's workers are all of another tenant.
func TestLaterJobOfAnotherTenant(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newCrowd(t, 2, config{SoleWorker: true})
		defer s.start()()
		s.enqueue("many", "m1", "m2", "m3")
		j := s.NewJob("work", "o1", "one", time.Now().Add(time.Hour))
		require.NoError(t, s.Update(t.Context(), func(tx engine.Tx) error { return tx.Enqueue(j) }))
		s.requireRunning("m1", "m2")
		time.Sleep(time.Hour)
		s.requireRunning("m1", "m2", "o1")
	})
}

// By default, long jobs of one tenant never keep another one waiting, on any machine.
func TestDefaultWorkersOfLongJobs(t *testing.T) {
	t.Parallel()
	for class, workers := range queue.DefaultWorkers() {
		if class != queue.ClassMaintain {
			require.GreaterOrEqual(t, workers, 2, class)
		}
	}
}

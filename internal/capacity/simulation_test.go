package capacity_test

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// cluster is the workers of one class.
type cluster struct {
	processes int
	slots     int  // workers of each process
	fifo      bool // jobs have no tenant, so that the earliest runs first
}

// forever is longer than any simulation.
const forever = time.Duration(math.MaxInt64)

// ran is what happened to a job.
type ran struct {
	arrival
	alone   bool          // no other job of the tenant was waiting or running when it arrived
	started time.Duration // after midnight
}

func (r ran) wait() time.Duration { return r.started - r.at }
func (r ran) end() time.Duration  { return r.started + r.work }

// midnight is when the simulated day begins.
var midnight = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// simulation runs jobs through one real queue.Queue for each process, on one memory store. Only the work and the clock are simulated: the
// clock moves to the next arrival or end of a job when all queues are idle. So events happen one at a time, and a seed gives the same
// figures in every run.
//
// The queues are sole workers, which only leaves out leases and polling on the wall clock: no process dies here. What a notification does
// in production, waking the other processes after a commit, is done in a random order and takes no time.
type simulation struct {
	t         testing.TB
	processes []*process
	order     *rand.Rand
	jobs      []ran
	until     time.Duration

	mu      sync.Mutex
	changed sync.Cond
	now     time.Duration
	waiting int
	running map[queue.ID]*run
	ends    ends // the same, by end
	begun   int
	open    map[int]int // jobs of a tenant that have not ended
}

// simulate returns what happens to the jobs, in order of arrival. Those that have not started by the time until are said to start then.
func simulate(t testing.TB, c cluster, seed uint64, until time.Duration, arrivals []arrival) []ran {
	s := &simulation{t: t, order: rand.New(rand.NewPCG(seed, 2)), jobs: make([]ran, len(arrivals)), until: until, open: map[int]int{}, running: map[queue.ID]*run{}}
	s.changed.L = &s.mu
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	defer done.Wait()
	defer cancel()
	store := memory.NewStore()
	for range c.processes {
		p := &process{s: s, slots: c.slots}
		p.queue = newQueue(t, store, p, c.slots)
		s.processes = append(s.processes, p)
		done.Go(func() { require.NoError(t, p.queue.Run(ctx)) })
		p.awaitIdle()
	}
	for next := 0; s.time() < until && (next < len(arrivals) || len(s.ends) > 0); {
		if len(s.ends) > 0 && (next == len(arrivals) || s.ends[0].at <= arrivals[next].at) {
			s.end()
			continue
		}
		first := next
		for next < len(arrivals) && arrivals[next].at == arrivals[first].at {
			next++
		}
		s.arrive(arrivals, first, next, c.fifo)
	}
	return s.jobs
}

// newQueue returns the queue of a process, whose jobs do nothing but what the observer does.
func newQueue(t testing.TB, store *memory.Store, p *process, slots int) *queue.Queue[engine.ReadTx, engine.Tx] {
	q, err := queue.New(queue.Config[engine.ReadTx, engine.Tx]{
		Store: store,
		Handlers: map[queue.Kind]queue.Handler[engine.Tx]{"work": {
			Class: queue.ClassTranscribe, Attempts: 1,
			Run: func(context.Context, *queue.Attempt) (func(engine.Tx) error, error) { return nil, nil },
		}},
		NewID: func() queue.ID { return "" }, // arrive sets it
		Classify: func(err error) queue.Failure {
			var e *engine.Error
			return queue.Failure{NotFound: errors.As(err, &e) && e.Code == engine.CodeNotFound}
		},
		Clock: p, SoleWorker: true, Workers: map[queue.Class]int{queue.ClassTranscribe: slots},
		Observer: p, Intercept: func(tx engine.Tx, _ func(queue.Job) error) engine.Tx { return tx },
	})
	require.NoError(t, err)
	return q
}

// arrive enqueues the jobs from first to before next, in one transaction of any process.
func (s *simulation) arrive(arrivals []arrival, first, next int, fifo bool) {
	s.mu.Lock()
	s.now = arrivals[first].at
	s.waiting += next - first
	s.mu.Unlock()
	order := s.order.Perm(len(s.processes))
	p := s.processes[order[0]]
	require.NoError(s.t, p.queue.Update(s.t.Context(), func(tx engine.Tx) error {
		for i := first; i < next; i++ {
			a := arrivals[i]
			s.jobs[i] = ran{arrival: a, started: s.until, alone: s.open[a.tenant] == 0}
			s.open[a.tenant]++
			tenant := strconv.Itoa(a.tenant)
			if fifo {
				tenant = ""
			}
			j := p.queue.NewJob("work", strconv.Itoa(i), tenant, midnight.Add(a.at))
			j.ID = queue.ID(fmt.Sprintf("%07d", i))
			if err := tx.Enqueue(j); err != nil {
				return err
			}
		}
		return nil
	}))
	p.awaitIdle()
	s.wake(order[1:])
}

// end ends the job that ends first. Its process looks for another job before all others.
func (s *simulation) end() {
	s.mu.Lock()
	e := heap.Pop(&s.ends).(*run)
	s.now = e.at
	close(e.over)
	for !e.ended {
		s.changed.Wait()
	}
	s.open[s.jobs[e.job].tenant]--
	s.mu.Unlock()
	e.process.awaitIdle()
	s.wake(s.order.Perm(len(s.processes)))
}

func (s *simulation) time() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// wake lets the processes look for jobs, one after the other, while there are any.
func (s *simulation) wake(order []int) {
	for _, i := range order {
		p := s.processes[i]
		s.mu.Lock()
		done, full := s.waiting == 0, p.full()
		s.mu.Unlock()
		if done {
			return
		}
		if full {
			continue
		}
		require.NoError(s.t, p.queue.Update(s.t.Context(), func(engine.Tx) error { return nil }))
		p.awaitIdle()
	}
}

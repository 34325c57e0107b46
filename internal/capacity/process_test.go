package capacity_test

import (
	"cmp"
	"container/heap"
	"context"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// process is a worker process: the clock and the observer of its queue.
type process struct {
	s     *simulation
	queue *queue.Queue[engine.ReadTx, engine.Tx]
	slots int
	busy  int
	idle  bool
}

// full reports whether the process can't start another job. With two workers or more, it has one more for a tenant's first job while
// another tenant has all of them.
func (p *process) full() bool { return p.busy > p.slots || p.slots == 1 && p.busy == 1 }

// run is a running job.
type run struct {
	process *process
	job     int           // index
	at      time.Duration // when it ends
	begun   int           // order of claims
	over    chan struct{} // closed at that time
	ended   bool          // its end is written and its worker is free
}

// awaitIdle waits until the queue has nothing to do at this time.
func (p *process) awaitIdle() {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	for !p.idle {
		p.s.changed.Wait()
	}
}

// Now returns the simulated time.
func (p *process) Now() time.Time {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	return midnight.Add(p.s.now)
}

// NewTimer returns a timer that never fires: every job is due when it arrives.
func (p *process) NewTimer(time.Duration) queue.Timer { return never{} }

type never struct{}

func (never) C() <-chan time.Time { return nil }
func (never) Stop() bool          { return true }

func (p *process) Enqueued(_ context.Context, _ engine.ReadTx, j queue.Job) (time.Time, error) {
	return j.RunAt, nil
}

// Started notes when the job ends.
func (p *process) Started(a *queue.Attempt) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	i, _ := strconv.Atoi(a.Job.Ref)
	j := &p.s.jobs[i]
	j.started = p.s.now
	p.s.waiting--
	p.busy++
	p.s.begun++
	r := &run{process: p, job: i, at: j.end(), begun: p.s.begun, over: make(chan struct{})}
	p.s.running[a.Job.ID] = r
	heap.Push(&p.s.ends, r)
}

// Work waits until the job ends.
func (p *process) Work(ctx context.Context, a *queue.Attempt) error {
	p.s.mu.Lock()
	r := p.s.running[a.Job.ID]
	p.s.mu.Unlock()
	select {
	case <-r.over:
		return a.Do(ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *process) Ended(a *queue.Attempt, _ queue.Event) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.s.running[a.Job.ID].ended = true
	delete(p.s.running, a.Job.ID)
	p.busy--
	p.s.changed.Broadcast()
}

func (p *process) Idle(time.Time) { p.setIdle(true) }
func (p *process) Woken()         { p.setIdle(false) }

func (p *process) setIdle(idle bool) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.idle = idle
	p.s.changed.Broadcast()
}

// ends is a heap of running jobs by end; those that end together, in the order of their claims.
type ends []*run

func (e ends) Len() int      { return len(e) }
func (e ends) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)   { *e = append(*e, x.(*run)) }
func (e ends) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(e[i].at, e[j].at), cmp.Compare(e[i].begun, e[j].begun)) < 0
}

func (e *ends) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

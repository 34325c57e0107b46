package engine_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// process is one run of an engine in a simulation. It can be killed, paused, and disconnected from its store. Every call of a port goes
// through it, and takes a random part of a millisecond, so that no two calls happen at the same virtual time.
type process struct {
	sim       *simulation
	name      string
	skew      time.Duration // of its clock
	exclusive bool          // whether it thinks that it is the only process
	reliable  bool          // whether its ports never fail
	dead      chan struct{} // closed by kill
	writers   atomic.Int64  // blob writers that are neither committed nor aborted

	mu      sync.Mutex
	resumes time.Time // end of a pause, as after SIGSTOP
	cut     time.Time // end of a partition from the store

	engine *engine.Engine
	cancel context.CancelFunc
	ended  chan error
	killed bool
}

var errDead = errors.New("the process is dead")

// Now and NewTimer implement engine.Clock.
func (p *process) Now() time.Time                       { return time.Now().Add(p.skew) }
func (p *process) NewTimer(d time.Duration) queue.Timer { return queue.SystemClock().NewTimer(d) }
func (p *process) NewID(kind string) string             { return p.sim.uuid(p.name + kind) }
func (p *process) isDead() bool                         { return isClosed(p.dead) }

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// sleep waits, until ctx is done or the process dies at the latest.
func (p *process) sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-p.dead:
	}
}

// decision returns the name of a decision in a call of a port.
func (p *process) decision(ctx context.Context, op string) string {
	job, _ := ctx.Value(jobKey{}).(string)
	return p.name + " " + job + " " + op
}

func (p *process) below(ctx context.Context, n int, op string) int {
	return p.sim.below(n, p.decision(ctx, op))
}

func (p *process) percent(ctx context.Context, n int, op string) bool {
	return p.sim.percent(n, p.decision(ctx, op))
}

func (p *process) span(ctx context.Context, limit time.Duration, op string) time.Duration {
	return p.sim.span(limit, p.decision(ctx, op))
}

// enter begins the call of a port. It returns an error when the process is dead.
func (p *process) enter(ctx context.Context, op string) error {
	p.sleep(context.Background(), 1+p.span(ctx, time.Millisecond, op))
	p.mu.Lock()
	pause := time.Until(p.resumes)
	p.mu.Unlock()
	if pause > 0 {
		p.sleep(context.Background(), pause+p.span(ctx, time.Millisecond, op))
	}
	if p.isDead() {
		return errDead
	}
	return nil
}

func (p *process) pause(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.resumes = time.Now().Add(d)
}

func (p *process) disconnect(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = time.Now().Add(d)
}

func (p *process) connected() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !time.Now().Before(p.cut)
}

// start runs the engine's jobs.
func (p *process) start() {
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	go func() { p.ended <- p.engine.Run(ctx) }()
}

// kill ends the process at once: from now on, none of its calls has an effect.
func (p *process) kill() {
	p.killed = true
	close(p.dead)
	p.cancel()
	<-p.ended
}

// stop shuts the process down.
func (p *process) stop() {
	p.cancel()
	if err := <-p.ended; err != nil && !p.exclusive { // a sole process must read the store when it starts
		p.sim.violate("shutdown", "Run of %s returned %v", p.name, err)
	}
	close(p.dead)
}

// jobKey is the context key of the job that a port works for.
type jobKey struct{}

// spread is an observer that separates what would happen at the same virtual time in one process, because its order would be random: each
// attempt frees its worker before it is settled, and ends after a delay of its own.
type spread struct{ *process }

func (spread) Enqueued(_ context.Context, _ engine.ReadTx, j queue.Job) (time.Time, error) {
	return j.RunAt, nil
}

func (o spread) Work(ctx context.Context, a *queue.Attempt) error {
	err := a.Do(context.WithValue(ctx, jobKey{}, a.Job.Key))
	o.sleep(context.Background(), 1+o.sim.span(time.Millisecond, o.name+a.Job.Key+"free"))
	a.ReleaseWorker()
	o.sleep(context.Background(), 1+o.sim.span(time.Millisecond, o.name+a.Job.Key+"settle"))
	return err
}

func (spread) Started(*queue.Attempt)            {}
func (spread) Ended(*queue.Attempt, queue.Event) {}
func (spread) Idle(time.Time)                    {}
func (spread) Woken()                            {}

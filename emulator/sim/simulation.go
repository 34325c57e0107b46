package sim

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Config configures a Simulation. Clock and Store are required.
type Config struct {
	Clock       *clock.Clock  // the engine's
	Store       engine.Store  // the engine's
	Jobs        JobSimulator  // default: jobs are not simulated
	AdvanceWait time.Duration // real time that Advance waits for each event to settle
	PollWait    time.Duration // real time that Polled waits for real work; default AutoPollWait or StepsPollWait

	// Hasten makes a job due that waits for a later time, as Engine.HastenJob does. It is required in mode steps.
	Hasten func(context.Context, queue.ID) error
	Spread func(queue.Job) float64 // see queue.Spreader; default: random

	// Waits is called when an attempt begins to wait for the clock, and Moved when somebody set or moved the clock. Both must return at
	// once. Default: nothing.
	Waits func(queue.Job)
	Moved func()
}

// Simulation simulates the time of one engine's jobs. It is safe for concurrent use.
type Simulation struct {
	c        Config
	moving   chan struct{} // semaphore: held by the goroutine that moves the clock
	clockSet chan struct{} // signals a SetClock to AutoAdvance

	mu       sync.Mutex
	activity chan struct{} // closed at the next activity
	running  map[queue.ID]*attempt
	idle     bool                       // whether the queue has nothing to do …
	next     time.Time                  // … until this time; zero: until it is woken
	events   *[]JobEvent                // where the running advance records events; nil when none runs
	polled   map[string]bool            // keys of the polls so far
	failing  map[queue.ID]*engine.Error // see Fail
}

// New returns the Simulation for an engine: pass it as the engine's Observer.
func New(c Config) *Simulation {
	if c.Spread == nil {
		c.Spread = func(queue.Job) float64 { return rand.Float64() }
	}
	if c.Waits == nil {
		c.Waits = func(queue.Job) {}
	}
	if c.Moved == nil {
		c.Moved = func() {}
	}
	return &Simulation{
		c: c, moving: make(chan struct{}, 1), clockSet: make(chan struct{}, 1),
		activity: make(chan struct{}), running: map[queue.ID]*attempt{}, polled: map[string]bool{},
		failing: map[queue.ID]*engine.Error{},
	}
}

// Now returns the clock's time as the engine sees it: UTC, in whole microseconds.
func (s *Simulation) Now() time.Time { return s.c.Clock.Now().UTC().Truncate(time.Microsecond) }

// JobActivity returns a channel that is closed at the next activity: a job is enqueued, ends, or begins to wait for the clock, or
// the queue becomes idle. To wait for a condition, take the channel, check the condition, then wait for the channel.
func (s *Simulation) JobActivity() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.activity
}

// signalActivity closes the channel of JobActivity. The caller holds mu.
func (s *Simulation) signalActivity() {
	close(s.activity)
	s.activity = make(chan struct{})
}

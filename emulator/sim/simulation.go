package sim

import (
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Config is what a Simulation is made of; Clock and Store are required.
type Config struct {
	Clock       *clock.Clock  // the engine's
	Store       engine.Store  // the engine's
	Jobs        JobSimulator  // default: jobs take what they take
	AdvanceWait time.Duration // real time that Advance waits for each thing that happens
	PollWait    time.Duration // real time that Polled waits for real work
}

// Simulation is the simulated time of one engine. It is safe for concurrent use.
type Simulation struct {
	c        Config
	moving   chan struct{} // has room for whoever moves the clock
	clockSet chan struct{} // has a token when SetClock was called

	mu       sync.Mutex
	activity chan struct{} // closed at the next activity
	running  map[queue.ID]*attempt
	idle     bool            // whether the queue has nothing to do …
	next     time.Time       // … until this time; zero for until it is woken
	events   *[]JobEvent     // where an advance notes what happens; nil when there is none
	polled   map[string]bool // the keys of polls so far
}

// New returns the Simulation of an engine that is yet to be made, as its Observer.
func New(c Config) *Simulation {
	return &Simulation{
		c: c, moving: make(chan struct{}, 1), clockSet: make(chan struct{}, 1),
		activity: make(chan struct{}), running: map[queue.ID]*attempt{}, polled: map[string]bool{},
	}
}

// Now returns what the clock shows, as the engine does: UTC, in whole microseconds.
func (s *Simulation) Now() time.Time { return s.c.Clock.Now().UTC().Truncate(time.Microsecond) }

// JobActivity returns a channel that is closed as soon as any job is enqueued, ends or begins to wait for the clock, or the queue becomes
// idle. To wait for something, take the channel, look, and wait for the channel if need be.
func (s *Simulation) JobActivity() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.activity
}

// active closes the channel of JobActivity; mu is held.
func (s *Simulation) active() {
	close(s.activity)
	s.activity = make(chan struct{})
}

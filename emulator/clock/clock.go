// Package clock is the time of a sandbox: a clock that everything in it goes by, which may go with the wall's time, faster, or only
// when it is told to.
package clock

import (
	"container/heap"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Clock implements engine.Clock. It is safe for concurrent use. Its timers fire in order of their times, those
// of the same time in the order in which they were made. It needs no goroutine and nothing but package time, so that it works inside a
// bubble of testing/synctest.
type Clock struct {
	mu     sync.Mutex
	mode   Mode
	rate   float64
	shown  time.Time // what it showed at wall
	wall   time.Time // when it was set
	timers queue
	made   int         // timers so far
	alarm  *time.Timer // for the first timer, when time passes by itself; nil for none
}

var _ engine.Clock = (*Clock)(nil)

// New returns a Clock. Errors: CodeInvalid.
func New(s Setting) (*Clock, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if s.Mode == "" {
		s.Mode = Auto
	}
	now := time.Now()
	if s.Now.IsZero() {
		s.Now = now
		if s.Mode.Still() {
			s.Now = DefaultStart()
		}
	}
	return &Clock{mode: s.Mode, rate: s.Rate, shown: s.Now.UTC(), wall: now}, nil
}

// Now is what the clock shows, in UTC.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// longest is how far a scaled clock goes: two centuries.
const longest = 200 * 365 * 24 * time.Hour

func (c *Clock) now() time.Time {
	switch c.mode {
	case Manual, Steps:
		return c.shown
	case Scaled:
		return c.shown.Add(time.Duration(min(float64(time.Since(c.wall))*c.rate, float64(longest)))).Round(0)
	}
	// The wall's time, not the monotonic one, which stands still while a machine sleeps.
	return c.shown.Add(time.Now().Round(0).Sub(c.wall.Round(0)))
}

// Setting is how the clock is set, with what it shows now.
func (c *Clock) Setting() Setting {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Setting{Mode: c.mode, Rate: c.rate, Now: c.now()}
}

// Set sets the clock anew. Without a time it goes on from what it shows; a clock that becomes Real and is behind the wall's time is
// set to that. Timers that are due then fire. Errors: CodeInvalid, also for a time before what it shows.
func (c *Clock) Set(s Setting) error {
	if err := s.Check(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now, wall := c.now(), time.Now()
	if s.Mode == "" {
		s.Mode = c.mode
	}
	switch {
	case s.Now.IsZero():
		s.Now = now
		if s.Mode == Real && wall.After(now) {
			s.Now = wall
		}
	case s.Now.Before(now):
		return backwards(s.Now, now)
	}
	c.show(now)
	c.mode, c.rate = s.Mode, s.Rate
	c.moveTo(s.Now)
	return nil
}

// AdvanceTo moves the clock to a time and fires every timer that is due on the way, each when the clock shows its time. Errors:
// CodeConflict when the mode doesn't jump, CodeInvalid for a time before what the clock shows.
func (c *Clock) AdvanceTo(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.movable(t); err != nil {
		return err
	}
	c.moveTo(t)
	return nil
}

// Step moves the clock to the time of its first timer, if that is not after limit, and fires it and all others of the same time. It
// reports whether there was one. Errors: as AdvanceTo's.
func (c *Clock) Step(limit time.Time) (fired bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.movable(limit); err != nil {
		return false, err
	}
	if len(c.timers) == 0 || c.timers[0].at.After(limit) {
		return false, nil
	}
	c.moveTo(c.timers[0].at)
	return true, nil
}

// Next is the time of the first timer; ok is false when there is none.
func (c *Clock) Next() (at time.Time, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.timers) == 0 {
		return at, false
	}
	return c.timers[0].at, true
}

func (c *Clock) movable(t time.Time) error {
	if !c.mode.Jumps() {
		return engine.Errorf(engine.CodeConflict, "Advance", "A %s clock can't be advanced: it goes by itself.", c.mode).
			WithHint("Set the clock to manual, steps or auto first.")
	}
	if now := c.now(); c.mode.Still() && t.Before(now) {
		return backwards(t, now)
	}
	return nil
}

func backwards(to, now time.Time) error {
	return engine.Errorf(engine.CodeInvalid, "Advance", "Time does not go backwards: the clock shows %s, which is after %s.",
		now.Format(time.RFC3339Nano), to.UTC().Format(time.RFC3339Nano))
}

// moveTo fires what is due up to a time, and shows it.
func (c *Clock) moveTo(t time.Time) {
	for len(c.timers) > 0 && !c.timers[0].at.After(t) {
		first := heap.Pop(&c.timers).(*timer)
		if first.at.After(c.now()) {
			c.show(first.at)
		}
		first.c <- first.at
	}
	if t.After(c.now()) {
		c.show(t)
	}
	c.arm()
}

func (c *Clock) show(t time.Time) { c.shown, c.wall = t.UTC().Round(0), time.Now() }

// arm makes the alarm ring when the first timer is due, if time gets there by itself.
func (c *Clock) arm() {
	if c.alarm != nil {
		c.alarm.Stop()
		c.alarm = nil
	}
	if c.mode.Still() || len(c.timers) == 0 {
		return
	}
	wait := c.timers[0].at.Sub(c.now())
	if c.mode == Scaled {
		wait = time.Duration(float64(wait)/c.rate) + 1 // rounded up, so that the timer is due when the alarm rings
	}
	c.alarm = time.AfterFunc(max(0, wait), c.ring)
}

func (c *Clock) ring() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mode.Still() {
		return
	}
	now := c.now()
	for len(c.timers) > 0 && !c.timers[0].at.After(now) {
		first := heap.Pop(&c.timers).(*timer)
		first.c <- first.at
	}
	c.arm()
}

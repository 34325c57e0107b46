// Package clock provides the clock of a sandbox. In its modes it follows the wall clock, runs faster, or slower, or is frozen until
// something advances it.
//
//	c, err := clock.New(clock.Setting{Mode: clock.Manual})
//	timer := c.NewTimer(time.Minute)
//	err = c.AdvanceTo(c.Now().Add(time.Minute)) // fires the timer
package clock

import (
	"container/heap"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Clock implements engine.Clock. It is safe for concurrent use. Timers fire in order of their times, and timers of the same time
// in order of creation. Clock starts no goroutine and uses only package time, so it works in a testing/synctest bubble.
//
// The clock and its timers show whole microseconds, the precision of all stores: a timer fires exactly when the clock shows the time
// that a job waits for.
type Clock struct {
	mu      sync.Mutex
	mode    Mode
	rate    float64
	shown   time.Time // the clock's time when the wall clock was at wall
	wall    time.Time // when shown was set
	timers  queue
	created int         // number of timers created
	alarm   *time.Timer // rings when the first timer is due; nil when the clock is frozen or has no timer
}

var _ engine.Clock = (*Clock)(nil)

// New returns a Clock. CodeInvalid for an invalid Setting.
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
		if s.Mode.Frozen() {
			s.Now = DefaultStart()
		}
	}
	return &Clock{mode: s.Mode, rate: s.Rate, shown: roundUp(s.Now.UTC()), wall: now}, nil
}

// roundUp returns the first whole microsecond that is not before t.
func roundUp(t time.Time) time.Time { return t.Add(time.Microsecond - 1).Truncate(time.Microsecond) }

// Now returns the clock's time in UTC.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// maxElapsed limits how far a scaled clock runs: two centuries.
const maxElapsed = 200 * 365 * 24 * time.Hour

func (c *Clock) now() time.Time {
	switch c.mode {
	case Manual, Steps:
		return c.shown
	case Scaled:
		return c.shown.Add(time.Duration(min(float64(time.Since(c.wall))*c.rate, float64(maxElapsed)))).Truncate(time.Microsecond)
	}
	// Round(0) drops the monotonic reading, which stops while a machine sleeps.
	return c.shown.Add(time.Now().Round(0).Sub(c.wall.Round(0))).Truncate(time.Microsecond)
}

// Setting returns the mode and the rate, with the current time as Now.
func (c *Clock) Setting() Setting {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Setting{Mode: c.mode, Rate: c.rate, Now: c.now()}
}

// Set changes the mode, the rate, and the time, and fires the timers that are then due. A zero s.Now keeps the current time, except
// that Real catches up with the wall clock. CodeInvalid for an invalid Setting and for a time before the current one.
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
			s.Now = wall.Truncate(time.Microsecond)
		}
	case s.Now.Before(now):
		return backwards(s.Now, now)
	}
	c.show(now)
	c.mode, c.rate = s.Mode, s.Rate
	c.moveTo(roundUp(s.Now))
	return nil
}

// AdvanceTo moves the clock to t, rounded up to a microsecond. On the way, it fires each due timer when the clock reaches the timer's time. CodeConflict when
// the mode can't be advanced; CodeInvalid for a time before the current one.
func (c *Clock) AdvanceTo(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	t = roundUp(t)
	if err := c.checkAdvance(t); err != nil {
		return err
	}
	c.moveTo(t)
	return nil
}

// Step moves the clock to the time of its first timer and fires every timer of that time. It reports false, and does nothing, when
// no timer is due by limit, rounded up to a microsecond. It returns the errors of AdvanceTo.
func (c *Clock) Step(limit time.Time) (fired bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit = roundUp(limit)
	if err := c.checkAdvance(limit); err != nil {
		return false, err
	}
	if len(c.timers) == 0 || c.timers[0].at.After(limit) {
		return false, nil
	}
	c.moveTo(c.timers[0].at)
	return true, nil
}

// Next returns the time of the first timer. ok is false when there is none.
func (c *Clock) Next() (at time.Time, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.timers) == 0 {
		return at, false
	}
	return c.timers[0].at, true
}

func (c *Clock) checkAdvance(t time.Time) error {
	if !c.mode.CanAdvance() {
		return engine.Errorf(engine.CodeConflict, "Advance", "A %s clock can't be advanced: it runs by itself.", c.mode).
			WithHint("Set the clock to manual, steps, or auto first.")
	}
	if now := c.now(); c.mode.Frozen() && t.Before(now) {
		return backwards(t, now)
	}
	return nil
}

func backwards(to, now time.Time) error {
	return engine.Errorf(engine.CodeInvalid, "Advance", "The clock can't go backwards: it shows %s, which is after %s.",
		now.Format(time.RFC3339Nano), to.UTC().Format(time.RFC3339Nano))
}

// moveTo fires the timers that are due by t, then sets the clock to t.
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

// maxWait is the longest wait of the alarm. After it, ring sets the alarm again. A slow clock's wait can be longer than a time.Duration.
const maxWait = time.Hour

// arm sets the alarm for the first timer, unless the clock is frozen.
func (c *Clock) arm() {
	if c.alarm != nil {
		c.alarm.Stop()
		c.alarm = nil
	}
	if c.mode.Frozen() || len(c.timers) == 0 {
		return
	}
	wait := c.timers[0].at.Sub(c.now())
	if c.mode == Scaled {
		wait = time.Duration(min(float64(wait)/c.rate, float64(maxWait))) + 1 // rounded up: the timer must be due when the alarm rings
	}
	c.alarm = time.AfterFunc(max(0, wait), c.ring)
}

func (c *Clock) ring() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mode.Frozen() {
		return
	}
	now := c.now()
	for len(c.timers) > 0 && !c.timers[0].at.After(now) {
		first := heap.Pop(&c.timers).(*timer)
		first.c <- first.at
	}
	c.arm()
}

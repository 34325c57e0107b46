package backendtest

import (
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Clock is an engine.Clock whose timers fire immediately. It records the duration of each pause.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	pauses []time.Duration
}

var _ engine.Clock = (*Clock)(nil)

// Now returns 2026-01-01 UTC plus all pauses so far.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current()
}

func (c *Clock) current() time.Time {
	if c.now.IsZero() {
		c.now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return c.now
}

// NewTimer advances the time by d and returns a timer that has fired.
func (c *Clock) NewTimer(d time.Duration) engine.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.current().Add(d)
	c.pauses = append(c.pauses, d)
	over := make(chan time.Time, 1)
	over <- c.now
	return overTimer(over)
}

// Pauses returns the durations of all timers, in order.
func (c *Clock) Pauses() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]time.Duration(nil), c.pauses...)
}

type overTimer chan time.Time

func (t overTimer) C() <-chan time.Time { return t }
func (t overTimer) Stop() bool          { return false }

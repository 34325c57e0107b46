package backendtest

import (
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Clock is a clock on which every pause is over at once. It takes down how long they were.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	pauses []time.Duration
}

var _ engine.Clock = (*Clock)(nil)

// Now is the beginning of 2026, and all pauses since.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.told()
}

func (c *Clock) told() time.Time {
	if c.now.IsZero() {
		c.now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return c.now
}

// NewTimer moves the time on and returns a timer that is over.
func (c *Clock) NewTimer(d time.Duration) engine.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.told().Add(d)
	c.pauses = append(c.pauses, d)
	over := make(chan time.Time, 1)
	over <- c.now
	return overTimer(over)
}

// Pauses returns how long the pauses were, in order.
func (c *Clock) Pauses() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]time.Duration(nil), c.pauses...)
}

type overTimer chan time.Time

func (t overTimer) C() <-chan time.Time { return t }
func (t overTimer) Stop() bool          { return false }

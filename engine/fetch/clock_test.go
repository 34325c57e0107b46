package fetch_test

import (
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// skipClock is a clock whose timers fire immediately. It records their durations.
type skipClock struct {
	mu     sync.Mutex
	now    time.Time
	pauses []time.Duration
}

func (c *skipClock) Now() time.Time { return c.now }

func (c *skipClock) NewTimer(d time.Duration) engine.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pauses = append(c.pauses, d)
	over := make(chan time.Time, 1)
	over <- c.now
	return overTimer(over)
}

type overTimer chan time.Time

func (t overTimer) C() <-chan time.Time { return t }
func (t overTimer) Stop() bool          { return false }

package engine

import (
	"sync"
	"time"
)

// creations has the time of the newest row of each kind.
type creations struct {
	after time.Time // of all kinds

	mu     sync.Mutex
	newest map[string]time.Time
}

// maxAhead is how far the rows of a kind may be ahead of the clock. A clock that was set back further is followed.
const maxAhead = time.Second

// created returns the time of a new row: now, but later than that of each earlier row of its kind, so that lists are in the order of
// creation. Clocks of sandboxes stand still, and that of Windows does for up to 16 ms.
func (e *Engine) created(kind string) time.Time {
	at, c := e.now(), &e.creations
	c.mu.Lock()
	defer c.mu.Unlock()
	last, ok := c.newest[kind]
	if !ok {
		last = c.after
	}
	if ahead := last.Sub(at); ahead >= 0 && ahead < maxAhead {
		at = last.Add(time.Microsecond)
	}
	if c.newest == nil {
		c.newest = map[string]time.Time{}
	}
	c.newest[kind] = at
	return at
}

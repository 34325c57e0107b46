// Package progress estimates how far a download is and limits how often progress is written.
//
// A Throttle is shared by the goroutines that report the progress of one piece of work:
//
//	var limit progress.Throttle
//	report := func(done float64, message string) {
//		limit.Do(time.Now, message, func(now time.Time) { save(done, message, now) })
//	}
package progress

import (
	"sync"
	"time"
)

// Interval is the shortest time between two writes with the same message.
const Interval = 250 * time.Millisecond

// halfway is how many bytes count as half of a download of unknown size.
const halfway = 64_000_000

// Throttle drops reports that come too soon after the last one. The zero value is ready, and safe for concurrent use.
type Throttle struct {
	mu      sync.Mutex
	last    time.Time
	message string
}

// Do calls write with the time, unless the last write was less than Interval ago and had the same message. Calls of write never overlap.
func (t *Throttle) Do(clock func() time.Time, message string, write func(now time.Time)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := clock()
	if now.Sub(t.last) < Interval && message == t.message {
		return
	}
	t.last, t.message = now, message
	write(now)
}

// Fraction returns how much of a download is done, 0 to 1. When the total is unknown (0 or less), it grows with the bytes and stays
// below 1.
func Fraction(done, total int64) float64 {
	if done <= 0 {
		return 0
	}
	if total <= 0 {
		return float64(done) / (float64(done) + halfway)
	}
	return min(1, float64(done)/float64(total))
}

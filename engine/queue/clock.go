package queue

import "time"

// Clock returns the time and creates timers.
type Clock interface {
	Now() time.Time
	NewTimer(time.Duration) Timer
}

// Timer is the part of time.Timer that a queue uses.
type Timer interface {
	C() <-chan time.Time
	Stop() bool
}

// TimerAt returns a timer that fires when a clock shows a time, at once if that has passed. Somebody may move the clock after the look at it, before
// there is a timer, which would then fire as much later. TimerAt then starts again, so the timer is late by at most 1 ms or a hundredth of the wait.
func TimerAt(c Clock, at time.Time) Timer {
	for {
		now := c.Now()
		wait := at.Sub(now)
		timer := c.NewTimer(wait)
		if wait <= 0 || c.Now().Sub(now) <= max(wait/100, time.Millisecond) {
			return timer
		}
		timer.Stop()
	}
}

// SystemClock returns the wall clock.
func SystemClock() Clock { return systemClock{} }

type systemClock struct{}

func (systemClock) Now() time.Time                 { return time.Now() }
func (systemClock) NewTimer(d time.Duration) Timer { return systemTimer{time.NewTimer(d)} }

type systemTimer struct{ t *time.Timer }

func (t systemTimer) C() <-chan time.Time { return t.t.C }
func (t systemTimer) Stop() bool          { return t.t.Stop() }

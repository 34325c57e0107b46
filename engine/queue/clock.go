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

// SystemClock returns the wall clock.
func SystemClock() Clock { return systemClock{} }

type systemClock struct{}

func (systemClock) Now() time.Time                 { return time.Now() }
func (systemClock) NewTimer(d time.Duration) Timer { return systemTimer{time.NewTimer(d)} }

type systemTimer struct{ t *time.Timer }

func (t systemTimer) C() <-chan time.Time { return t.t.C }
func (t systemTimer) Stop() bool          { return t.t.Stop() }

package clock

import (
	"container/heap"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// timer is one that has not fired yet, or not been stopped.
type timer struct {
	clock *Clock
	at    time.Time
	seq   int
	index int // in the queue; -1 when it is not there
	c     chan time.Time
}

// NewTimer returns a timer that fires once when d has passed on this clock: at once when d is not positive.
func (c *Clock) NewTimer(d time.Duration) engine.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	c.made++
	t := &timer{clock: c, at: now.Add(d), seq: c.made, index: -1, c: make(chan time.Time, 1)}
	if d <= 0 {
		t.c <- now
		return t
	}
	heap.Push(&c.timers, t)
	if t.index == 0 {
		c.arm()
	}
	return t
}

// C has the time when the timer fires.
func (t *timer) C() <-chan time.Time { return t.c }

// Stop keeps the timer from firing. It reports whether it did: false when the timer has fired or was stopped before.
func (t *timer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	if t.index < 0 {
		return false
	}
	first := t.index == 0
	heap.Remove(&t.clock.timers, t.index)
	if first {
		t.clock.arm()
	}
	return true
}

// queue is a heap of timers: the first one fires next.
type queue []*timer

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	if !q[i].at.Equal(q[j].at) {
		return q[i].at.Before(q[j].at)
	}
	return q[i].seq < q[j].seq
}

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *queue) Push(x any) {
	t := x.(*timer)
	t.index = len(*q)
	*q = append(*q, t)
}

func (q *queue) Pop() any {
	last := len(*q) - 1
	t := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	t.index = -1
	return t
}

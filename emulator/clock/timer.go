package clock

import (
	"container/heap"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// timer implements engine.Timer.
type timer struct {
	clock *Clock
	at    time.Time
	seq   int
	index int // in the queue; -1 when it has fired or was stopped
	c     chan time.Time
}

// NewTimer returns a timer that fires once when d has passed on the clock, or immediately if d <= 0.
func (c *Clock) NewTimer(d time.Duration) engine.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	c.created++
	t := &timer{clock: c, at: roundUp(now.Add(d)), seq: c.created, index: -1, c: make(chan time.Time, 1)}
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

// C returns the channel that receives the timer's time when it fires.
func (t *timer) C() <-chan time.Time { return t.c }

// Stop prevents the timer from firing. It returns false if the timer has already fired or been stopped.
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

// queue is a heap of timers, ordered by time and creation.
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

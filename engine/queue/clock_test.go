package queue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// movedClock is a clock that somebody moves just before each of its first timers is created.
type movedClock struct {
	now    time.Time
	by     []time.Duration // before the next timers
	timers []*movedTimer
}

type movedTimer struct {
	at      time.Time
	stopped bool
}

func (c *movedClock) Now() time.Time { return c.now }

func (c *movedClock) NewTimer(d time.Duration) queue.Timer {
	if len(c.by) > 0 {
		c.now, c.by = c.now.Add(c.by[0]), c.by[1:]
	}
	t := &movedTimer{at: c.now.Add(max(d, 0))}
	c.timers = append(c.timers, t)
	return t
}

func (t *movedTimer) C() <-chan time.Time { return nil }
func (t *movedTimer) Stop() bool          { t.stopped = true; return true }

// A timer fires at its time, although the clock is moved while it is created. Those that would be late are stopped.
func TestTimerAt(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		wait time.Duration
		by   []time.Duration
		want time.Duration // after the start
		made int
	}{
		"nobody moves it":      {time.Hour, nil, time.Hour, 1},
		"to the time":          {time.Hour, []time.Duration{time.Hour}, time.Hour, 2},
		"past the time":        {time.Hour, []time.Duration{2 * time.Hour}, 2 * time.Hour, 2},
		"half of the way":      {time.Hour, []time.Duration{30 * time.Minute}, time.Hour, 2},
		"twice":                {time.Hour, []time.Duration{30 * time.Minute, 10 * time.Minute}, time.Hour, 3},
		"a little, as it runs": {time.Hour, []time.Duration{time.Second}, time.Hour + time.Second, 1},
		"the time has passed":  {-time.Hour, []time.Duration{time.Hour}, time.Hour, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := &movedClock{now: start, by: c.by}
			timer := queue.TimerAt(clock, start.Add(c.wait))
			require.Len(t, clock.timers, c.made)
			last := clock.timers[c.made-1]
			require.Same(t, last, timer)
			require.Equal(t, start.Add(c.want), last.at)
			for i, made := range clock.timers {
				require.Equal(t, i < c.made-1, made.stopped)
			}
		})
	}
}

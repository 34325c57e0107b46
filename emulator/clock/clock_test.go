package clock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine"
)

func newClock(t *testing.T, s clock.Setting) *clock.Clock {
	t.Helper()
	c, err := clock.New(s)
	require.NoError(t, err)
	return c
}

// fired reports whether a timer has fired, and at what time.
func fired(timer engine.Timer) (time.Time, bool) {
	select {
	case at := <-timer.C():
		return at, true
	default:
		return time.Time{}, false
	}
}

// Parse reads the flag value of every mode, and rejects other values with a hint.
func TestParse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]clock.Setting{
		"": {Mode: clock.Auto}, "auto": {Mode: clock.Auto}, "instant": {Mode: clock.Auto}, "real": {Mode: clock.Real},
		"manual": {Mode: clock.Manual}, "steps": {Mode: clock.Steps}, "scaled:10": {Mode: clock.Scaled, Rate: 10},
		"scaled×2.5": {Mode: clock.Scaled, Rate: 2.5}, "scaledx60": {Mode: clock.Scaled, Rate: 60},
	} {
		got, err := clock.Parse(in)
		require.NoError(t, err, in)
		require.Equal(t, want, got, in)
		again, err := clock.Parse(got.String())
		require.NoError(t, err, in)
		require.Equal(t, got, again)
	}
	for _, in := range []string{"fast", "scaled", "scaled:", "scaled:0", "scaled:-1", "scaled:NaN", "scaled:Inf", "scaled:1e9", "scaled:x", "Real"} {
		_, err := clock.Parse(in)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), in)
		require.NotEmpty(t, err.(*engine.Error).Hint) //nolint:errorlint // Parse returns this type
	}
}

// A frozen clock shows its start until it is advanced, and can't go backwards.
func TestStill(t *testing.T) {
	t.Parallel()
	for _, mode := range []clock.Mode{clock.Manual, clock.Steps} {
		synctest.Test(t, func(t *testing.T) {
			c := newClock(t, clock.Setting{Mode: mode})
			time.Sleep(time.Hour)
			require.Equal(t, clock.DefaultStart(), c.Now())
			require.NoError(t, c.AdvanceTo(c.Now().Add(time.Minute)))
			require.Equal(t, clock.DefaultStart().Add(time.Minute), c.Now())
			err := c.AdvanceTo(clock.DefaultStart())
			require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
			require.Contains(t, err.Error(), "backwards")
		})
	}
}

// Timers fire in order of their times, and Step fires every timer of one time. A stopped timer never fires.
func TestOrder(t *testing.T) {
	t.Parallel()
	c := newClock(t, clock.Setting{Mode: clock.Manual})
	start := c.Now()
	late, first, second, stopped := c.NewTimer(3*time.Second), c.NewTimer(time.Second), c.NewTimer(time.Second), c.NewTimer(500*time.Millisecond)
	require.True(t, stopped.Stop())
	require.False(t, stopped.Stop())
	at, ok := c.Next()
	require.True(t, ok)
	require.Equal(t, start.Add(time.Second), at)
	for i, timers := range [][]engine.Timer{{first, second}, {late}} {
		ok, err := c.Step(start.Add(time.Minute))
		require.NoError(t, err)
		require.True(t, ok, i)
		for _, timer := range timers {
			at, ok := fired(timer)
			require.True(t, ok, i)
			require.Equal(t, c.Now(), at, i)
			require.False(t, timer.Stop())
		}
	}
	_, ok = fired(stopped)
	require.False(t, ok)
	ok, err := c.Step(start.Add(time.Minute))
	require.NoError(t, err)
	require.False(t, ok)
	require.Equal(t, start.Add(3*time.Second), c.Now(), "a step that fires nothing doesn't move the clock")
	_, ok = c.Next()
	require.False(t, ok)
	_, ok = fired(c.NewTimer(0))
	require.True(t, ok, "a timer with a zero duration fires immediately")
	soon := c.NewTimer(time.Second)
	ok, err = c.Step(c.Now().Add(time.Millisecond))
	require.NoError(t, err)
	require.False(t, ok, "the timer is due after the limit")
	require.NoError(t, c.AdvanceTo(start.Add(time.Hour)))
	at, ok = fired(soon)
	require.True(t, ok)
	require.Equal(t, start.Add(4*time.Second), at)
}

// A real clock follows the wall clock, and a scaled clock runs at its rate. Neither can be advanced.
func TestGoing(t *testing.T) {
	t.Parallel()
	for _, rate := range []float64{1, 10, 0.5} {
		synctest.Test(t, func(t *testing.T) {
			s := clock.Setting{Mode: clock.Real}
			if rate != 1 {
				s = clock.Setting{Mode: clock.Scaled, Rate: rate}
			}
			c := newClock(t, s)
			begin, wall := c.Now(), time.Now()
			timer, sooner := c.NewTimer(time.Minute), c.NewTimer(time.Second)
			at := <-sooner.C()
			require.WithinDuration(t, begin.Add(time.Second), at, time.Microsecond)
			<-timer.C()
			require.WithinDuration(t, begin.Add(time.Minute), c.Now(), time.Microsecond)
			require.InDelta(t, float64(time.Minute)/rate, float64(time.Since(wall)), float64(time.Microsecond))
			require.Equal(t, engine.CodeConflict, engine.CodeOf(c.AdvanceTo(c.Now().Add(time.Hour))))
			_, err := c.Step(c.Now().Add(time.Hour))
			require.Equal(t, engine.CodeConflict, engine.CodeOf(err))
		})
	}
}

// A clock that is so slow that the wait is longer than a time.Duration doesn't look at the time again and again: this test would never end.
func TestVerySlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newClock(t, clock.Setting{Mode: clock.Scaled, Rate: 1e-9})
		far := c.NewTimer(365 * 24 * time.Hour)
		time.Sleep(48 * time.Hour)
		require.Empty(t, far.C())
		wall := time.Now()
		near := c.NewTimer(10 * time.Microsecond) // 10,000 s, longer than one look
		<-near.C()
		require.InDelta(t, float64(10_000*time.Second), float64(time.Since(wall)), float64(1001*time.Second), "the clock shows whole microseconds")
		require.True(t, far.Stop())
	})
}

// In mode auto, the clock runs and can also be advanced.
func TestAuto(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newClock(t, clock.Setting{})
		begin := c.Now()
		require.WithinDuration(t, time.Now(), begin, 0)
		timer, later := c.NewTimer(time.Hour), c.NewTimer(2*time.Hour)
		require.NoError(t, c.AdvanceTo(begin.Add(time.Hour)))
		_, ok := fired(timer)
		require.True(t, ok)
		wall := time.Now()
		<-later.C()
		require.Equal(t, time.Hour, time.Since(wall))
		require.NoError(t, c.AdvanceTo(begin), "advancing to a past time does nothing")
		require.Equal(t, begin.Add(2*time.Hour), c.Now())
	})
}

// Set continues from the current time, never goes backwards, and fires the timers that are then due.
func TestSet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC) // a synctest bubble starts in 2000
		c := newClock(t, clock.Setting{Mode: clock.Manual, Now: start})
		time.Sleep(time.Hour)
		timer := c.NewTimer(time.Hour)
		require.NoError(t, c.Set(clock.Setting{Mode: clock.Scaled, Rate: 3600}))
		require.Equal(t, start, c.Now())
		wall := time.Now()
		<-timer.C()
		require.InDelta(t, float64(time.Second), float64(time.Since(wall)), float64(time.Microsecond))
		require.NoError(t, c.Set(clock.Setting{Mode: clock.Manual}))
		now, waits := c.Now(), c.NewTimer(time.Minute)
		time.Sleep(time.Hour)
		require.Equal(t, now, c.Now())
		_, ok := fired(waits)
		require.False(t, ok)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(c.Set(clock.Setting{Now: now.Add(-time.Second)})))
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(c.Set(clock.Setting{Mode: "fast"})))
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(c.Set(clock.Setting{Mode: clock.Manual, Rate: 2})))
		require.NoError(t, c.Set(clock.Setting{Now: now.Add(time.Hour)}))
		_, ok = fired(waits)
		require.True(t, ok)
		require.Equal(t, clock.Setting{Mode: clock.Manual, Now: now.Add(time.Hour)}, c.Setting())

		behind := newClock(t, clock.Setting{Mode: clock.Manual, Now: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)})
		require.NoError(t, behind.Set(clock.Setting{Mode: clock.Real}))
		require.WithinDuration(t, time.Now(), behind.Now(), time.Microsecond, "a real clock catches up with the wall clock")
	})
}

// A clock and its timers show whole microseconds: a timer fires exactly when the clock has reached its time, whatever fraction of a
// microsecond the clock was set, advanced, or switched at.
func TestWholeMicroseconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newClock(t, clock.Setting{Mode: clock.Auto, Now: clock.DefaultStart().Add(1)})
		time.Sleep(1234567)
		require.NoError(t, c.Set(clock.Setting{Mode: clock.Steps}))
		for _, d := range []time.Duration{1, 999, 1000, 1001, time.Millisecond + 1} {
			begun := c.Now()
			require.Zero(t, begun.Nanosecond()%1000)
			timer := c.NewTimer(d)
			require.NoError(t, c.AdvanceTo(begun.Add(d-1)))
			_, early := fired(timer)
			require.Equal(t, c.Now().Sub(begun) >= d, early, d)
			fires, err := c.Step(begun.Add(d))
			require.NoError(t, err)
			require.Equal(t, !early, fires, d)
			require.Zero(t, c.Now().Nanosecond()%1000)
			require.False(t, c.Now().Before(begun.Add(d)))
			require.NoError(t, c.Set(clock.Setting{Now: c.Now().Add(1)}))
		}
	})
}

package progress_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/progress"
)

// The fraction of a download of unknown size grows with its bytes and stays below 1. A known total limits it to 1.
func TestFraction(t *testing.T) {
	t.Parallel()
	for _, total := range []int64{-1, 0, 1_000_000} {
		last := 0.0
		for done := int64(0); done < 1<<60; done = done*2 + 1 {
			f := progress.Fraction(done, total)
			require.GreaterOrEqual(t, f, last)
			require.LessOrEqual(t, f, 1.0)
			last = f
		}
		require.Greater(t, last, 0.99)
	}
	require.InDelta(t, 0.5, progress.Fraction(500, 1000), 1e-9)
	require.Zero(t, progress.Fraction(-5, 1000))
}

// Reports within 250 ms of the last written one are dropped, unless their message is new.
func TestThrottle(t *testing.T) {
	t.Parallel()
	begin := time.Unix(1000, 0)
	var limit progress.Throttle
	for _, c := range []struct {
		after   time.Duration
		message string
		written bool
	}{
		{0, "a", true},
		{249 * time.Millisecond, "a", false},
		{250 * time.Millisecond, "a", true},
		{251 * time.Millisecond, "b", true},
		{252 * time.Millisecond, "b", false},
		{253 * time.Millisecond, "a", true},
	} {
		written := false
		limit.Do(func() time.Time { return begin.Add(c.after) }, c.message, func(now time.Time) {
			written = true
			require.Equal(t, begin.Add(c.after), now)
		})
		require.Equal(t, c.written, written, "%v %s", c.after, c.message)
	}
}

package api

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// takeAs counts a request of a key of the core tier and returns the response's headers.
func (r rates) takeAs(key string, now time.Time) (remaining, retryAfter string, err error) {
	w := httptest.NewRecorder()
	err = r.take(context.Background(), w, engine.Caller{KeyID: engine.KeyID(key), Tier: engine.TierCore}, func() time.Time { return now })
	return w.Header().Get("X-RateLimit-Remaining"), w.Header().Get("Retry-After"), err
}

// Keys that send requests in turn are counted separately, and a new key doesn't reset the others.
func TestLimiterCountsEachKey(t *testing.T) {
	t.Parallel()
	l := rates{map[engine.Tier]int{engine.TierCore: 3}, &windows{}}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, want := range []string{"2", "1", "0"} {
		for _, key := range []string{"a", "b"} {
			got, _, err := l.takeAs(key, now)
			require.NoError(t, err)
			require.Equal(t, want, got, key)
		}
	}
	got, _, err := l.takeAs("new", now)
	require.NoError(t, err)
	require.Equal(t, "2", got)
	for _, key := range []string{"a", "b"} {
		got, _, err := l.takeAs(key, now)
		require.Equal(t, engine.CodeRateLimited, engine.CodeOf(err), key)
		require.Equal(t, "0", got, key)
	}
}

// A window ends on a whole second, at most a minute after its first request, and Retry-After is the time until then, rounded up.
func TestLimiterWindowEnds(t *testing.T) {
	t.Parallel()
	l := rates{map[engine.Tier]int{engine.TierCore: 1}, &windows{}}
	start := time.Date(2026, 1, 1, 0, 0, 10, 400e6, time.UTC)
	end := time.Date(2026, 1, 1, 0, 1, 10, 0, time.UTC)
	_, _, err := l.takeAs("a", start)
	require.NoError(t, err)
	for at, want := range map[time.Time]string{
		start:                             "60",
		end.Add(-2 * time.Second):         "2",
		end.Add(-1500 * time.Millisecond): "2",
		end.Add(-time.Nanosecond):         "1",
	} {
		_, wait, err := l.takeAs("a", at)
		require.Equal(t, engine.CodeRateLimited, engine.CodeOf(err), "%s", at)
		require.Equal(t, want, wait, "%s", at)
	}
	w := httptest.NewRecorder()
	require.NoError(t, l.take(t.Context(), w, engine.Caller{KeyID: "a", Tier: engine.TierCore}, func() time.Time { return end }))
	require.Equal(t, fmt.Sprint(end.Add(time.Minute).Unix()), w.Header().Get("X-RateLimit-Reset"))
	require.Empty(t, w.Header().Get("Retry-After"))
}

// The clean-up removes expired windows and no others, and only when there are many.
func TestLimiterRemovesExpiredWindows(t *testing.T) {
	t.Parallel()
	l := rates{map[engine.Tier]int{engine.TierCore: 2}, &windows{}}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	later := start.Add(RateWindow / 2)
	end := start.Add(RateWindow)
	for i := range maxWindows / 2 {
		_, _, err := l.takeAs(fmt.Sprint("old-", i), start)
		require.NoError(t, err)
	}
	for i := range maxWindows/2 - 1 {
		_, _, err := l.takeAs(fmt.Sprint("live-", i), later)
		require.NoError(t, err)
	}
	_, _, err := l.takeAs("last", end)
	require.NoError(t, err)
	require.Len(t, l.limiter.(*windows).seen, maxWindows, "removed too early")

	_, _, err = l.takeAs("new", end)
	require.NoError(t, err)
	require.Len(t, l.limiter.(*windows).seen, maxWindows/2+1)
	for i := range maxWindows/2 - 1 {
		left, _, err := l.takeAs(fmt.Sprint("live-", i), end)
		require.NoError(t, err)
		require.Equal(t, "0", left, "a live window was removed")
	}
}

package api_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
)

// A key over its rate limit gets 429 with Retry-After, before the tier check. Other keys are not affected.
func TestRateLimits(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{RateLimits: map[engine.Tier]int{engine.TierCore: 3, engine.TierPlatform: 100}})
	core := r.as("sk_sandbox_core")
	for left := 2; left >= 0; left-- {
		a := core.do("GET", "/v1/spaces", nil)
		require.Equal(t, 200, a.status)
		require.Equal(t, "3", a.header.Get("X-RateLimit-Limit"))
		require.Equal(t, strconv.Itoa(left), a.header.Get("X-RateLimit-Remaining"))
		reset, err := strconv.ParseInt(a.header.Get("X-RateLimit-Reset"), 10, 64)
		require.NoError(t, err)
		require.WithinDuration(t, r.server.Engine().Now().Add(time.Minute), time.Unix(reset, 0), time.Minute)
		require.Empty(t, a.header.Get("Retry-After"))
	}
	for _, path := range []string{"/v1/spaces", "/v1/usage"} { // the second needs another tier
		a := core.do("GET", path, nil)
		a.wantError(429)
		wait, err := strconv.Atoi(a.header.Get("Retry-After"))
		require.NoError(t, err)
		require.True(t, wait >= 1 && wait <= 60, "%d", wait)
		require.Equal(t, "0", a.header.Get("X-RateLimit-Remaining"))
	}
	require.Equal(t, 200, r.do("GET", "/v1/spaces", nil).status)
	require.Empty(t, r.as("sk_sandbox_automation").do("GET", "/v1/spaces", nil).header.Get("X-RateLimit-Limit"), "a tier without a limit has no headers")
	require.Equal(t, 401, r.as("wrong").do("GET", "/v1/spaces", nil).status)
}

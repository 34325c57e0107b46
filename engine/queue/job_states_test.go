package queue

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The test tries every event in every state. Listed transitions happen; all others are errors and change nothing.
func TestJobMatrix(t *testing.T) {
	t.Parallel()
	allowed := map[Status]map[Event]Status{
		Queued:   {Claimed: Running, Stopped: Canceled},
		Retrying: {Claimed: Running, Stopped: Canceled},
		Running: {
			Released: Queued, Expired: Queued, Finished: Completed, Errored: Retrying, Exhausted: Failed, Stopped: Canceled,
		},
	}
	for _, s := range Machine().States() {
		for _, e := range Machine().Events() {
			j := Job{Status: s}
			err := j.apply(e)
			if want, ok := allowed[s][e]; ok {
				require.NoError(t, err, "%s in %s", e, s)
				require.Equal(t, want, j.Status, "%s in %s", e, s)
			} else {
				require.Error(t, err, "%s in %s", e, s)
				require.Equal(t, s, j.Status, "%s in %s", e, s)
			}
		}
		require.Equal(t, len(allowed[s]) == 0, s.Terminal(), s)
		require.Equal(t, s == Queued || s == Retrying, s.Waiting(), s)
	}
}

// Delays double up to the cap, are random, and never overflow.
func TestRetryDelay(t *testing.T) {
	t.Parallel()
	p := RetryPolicy{}.withDefaults()
	for n, want := range map[int]float64{-1: 2, 0: 2, 1: 2, 2: 4, 5: 32, 9: 512, 10: 600, 39: 600, 40: 600, 1000: 600} {
		require.InDelta(t, want, p.delay(n, 1).Seconds(), 1e-6, "attempt %d", n)
		require.InDelta(t, want/4, p.delay(n, 0.25).Seconds(), 1e-6, "attempt %d", n)
		require.Zero(t, p.delay(n, 0), "attempt %d", n)
	}
}

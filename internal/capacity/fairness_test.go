package capacity_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// floodOf returns 10,000 jobs of one tenant at once, and the first jobs of 100 others, one every second. Every job takes at most 1 s, so
// every worker is free within 1 s.
func floodOf(seed uint64) []arrival {
	random := rand.New(rand.NewPCG(seed, 3))
	work := func() time.Duration {
		return time.Duration(random.Int64N(int64(time.Second))).Truncate(time.Microsecond)
	}
	all := make([]arrival, 10_000, 10_100)
	for i := range all {
		all[i] = arrival{0, flooder, work()}
	}
	for i := range 100 {
		all = append(all, arrival{time.Duration(i+1) * time.Second, i, work()})
	}
	return all
}

// A tenant with 10,000 waiting jobs delays another one's first job by at most 2 s while workers are free within 1 s, in one process and in
// several. In order of arrival, none of them starts.
func TestFloodDelaysNobody(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]cluster{
		"one process": {processes: 1, slots: 8}, "four processes": {processes: 4, slots: 2},
		"no extra worker": {processes: 8, slots: 1}, "in order of arrival": {processes: 4, slots: 2, fifo: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const until = 2 * time.Minute // at most a fifth of the flood is done
			var others waits
			for _, j := range simulate(t, c, 1, until, floodOf(1)) {
				if j.tenant != flooder {
					others = append(others, j.wait())
				}
			}
			require.Len(t, others, 100)
			longest := slices.Max(others)
			t.Log("longest wait:", longest)
			if c.fifo {
				require.Greater(t, longest, time.Minute)
				return
			}
			require.LessOrEqual(t, longest, 2*time.Second)
		})
	}
}

// A seed gives the same day in every run, and every job runs once.
func TestDayIsDeterministic(t *testing.T) {
	t.Parallel()
	d := day{seed: 1, tenants: 50, jobs: 1000, peak: 1.8, median: time.Minute, sigma: 1.2, limit: time.Hour, flood: 300, floodAt: 10 * time.Hour}
	c := cluster{processes: 3, slots: 2}
	first, second := simulate(t, c, 1, forever, d.arrivals()), simulate(t, c, 1, forever, d.arrivals())
	require.Equal(t, first, second)
	require.NotEqual(t, first, simulate(t, c, 2, forever, d.arrivals()), "the order of wake-ups depends on the seed")
	for _, j := range first {
		require.GreaterOrEqual(t, j.started, j.at)
		require.Positive(t, j.work)
	}
	f := figuresOf(first, c)
	require.Greater(t, f.fairness(), 0.9)
	c.fifo = true
	require.Less(t, figuresOf(simulate(t, c, 1, forever, d.arrivals()), c).fairness(), 0.5)
}

// Arrivals follow the curve of the day, and the shares of tenants are Zipf's.
func TestArrivals(t *testing.T) {
	t.Parallel()
	d := busyDay(1)
	all := d.arrivals()
	require.InDelta(t, d.jobs+d.flood, len(all), 1000)
	require.True(t, slices.IsSortedFunc(all, func(a, b arrival) int { return int(a.at - b.at) }))
	var of [3]int
	var night, noon int
	for _, a := range all {
		if a.tenant >= 0 && a.tenant < len(of) {
			of[a.tenant]++
		}
		switch hour := a.at / time.Hour; {
		case hour == 2:
			night++
		case hour == 14:
			noon++
		}
	}
	require.InDelta(t, 2, float64(of[0])/float64(of[1]), 0.1)
	require.InDelta(t, 3, float64(of[0])/float64(of[2]), 0.2)
	require.InDelta(t, 1.8/0.2, float64(noon)/float64(night), 1)
}

// Who wants less than an equal share receives it, and the others share the rest.
func TestWaterLevel(t *testing.T) {
	t.Parallel()
	wanted := map[int]time.Duration{0: 1, 1: 2, 2: 50, 3: 90}
	require.Equal(t, time.Duration(10), waterLevel(wanted, 23))
	require.Equal(t, time.Duration(90), waterLevel(wanted, 1000))
}

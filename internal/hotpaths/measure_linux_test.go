package hotpaths_test

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/hotpaths"
)

// allocated returns the allocations and the bytes of one call of fn, on average over n calls. The first calls fill caches and aren't counted.
// Without the garbage collector, pools keep what they have.
func allocated(path string, tolerance float64, n int, fn func()) []hotpaths.Count {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range max(1, n/10) {
		fn()
	}
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		fn()
	}
	runtime.ReadMemStats(&after)
	each := func(all uint64) float64 { return math.Round(float64(all) / float64(n)) }
	return []hotpaths.Count{
		{Path: path, What: "allocations", Value: each(after.Mallocs - before.Mallocs), Tolerance: tolerance},
		{Path: path, What: "bytes allocated", Value: each(after.TotalAlloc - before.TotalAlloc), Tolerance: tolerance},
	}
}

// TestHotPaths compares what the hottest paths cost with testdata/counts.golden.
func TestHotPaths(t *testing.T) {
	skipIfRacing(t)
	var all []hotpaths.Count
	for _, path := range []func(*testing.T) []hotpaths.Count{requests, recording, speakers, exports, captionsOfClip} {
		all = append(all, path(t)...)
	}
	require.NotEmpty(t, all)
	hotpaths.Check(t, "testdata/counts.golden", all)
}

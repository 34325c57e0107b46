package diarize_test

import (
	"crypto/sha256"
	"fmt"
	"runtime"
	"testing"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/stretchr/testify/require"
)

// golden is what the turns of buzz(7, {0, 3, 6}, 90) hash to, on every machine and any GOMAXPROCS. It changes with the
// pipeline; then this is the place to write down the new one, when the budgets still hold.
const golden = "8233369bce75058f"

// The same samples give the same turns, to the last bit of their confidence.
func TestSameEverywhere(t *testing.T) {
	slow.Skip(t, "it computes minutes of speech")
	long(t)
	samples := buzz(7, []int{0, 3, 6}, 90)
	for _, procs := range []int{1, 4} {
		before := runtime.GOMAXPROCS(procs)
		turns := run(t, samples, diarize.Config{})
		runtime.GOMAXPROCS(before)
		require.Greater(t, turns.Speakers(), 1)
		hash := sha256.Sum256(fmt.Appendf(nil, "%+v", turns))
		require.Equal(t, golden, fmt.Sprintf("%x", hash[:8]))
	}
}

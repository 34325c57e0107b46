package diarize_test

import (
	"crypto/sha256"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/stretchr/testify/require"
)

// turnsHash is the hash of the turns of buzz(7, {0, 3, 6}, 90), on every machine and with any GOMAXPROCS. If a change of the
// algorithm changes it and the budgets still hold, update it here.
const turnsHash = "46009a888b16bab3"

// The same samples give the same turns, to the last bit of their confidence.
func TestDeterministic(t *testing.T) {
	slow.Skip(t, "it computes minutes of speech")
	long(t)
	samples := synthSpeech(7, []int{0, 3, 6}, 90)
	for _, procs := range []int{1, 4} {
		before := runtime.GOMAXPROCS(procs)
		turns := run(t, samples, diarize.Config{})
		runtime.GOMAXPROCS(before)
		require.Greater(t, turns.Speakers(), 1)
		type turn struct {
			Start, End time.Duration
			Speaker    int
			Confidence float64
		}
		var plain []turn
		for _, t := range turns {
			plain = append(plain, turn{t.Start, t.End, t.Speaker, t.Confidence})
		}
		hash := sha256.Sum256(fmt.Appendf(nil, "%+v", plain))
		require.Equal(t, turnsHash, fmt.Sprintf("%x", hash[:8]))
	}
}

package diarize_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Voices that speak over music in a part of a recording are as many as without it.
func TestMusicBelowAPart(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	for _, voices := range [][]voice{cast[:1], cast[3:4]} {
		var whole recording
		for seed, music := range []float64{0, 10, 0} {
			whole.add(script{seed: uint64(seed), voices: voices, length: 45 * time.Second, noise: 25, music: music}.play(t))
		}
		turns := run(t, samplesOf(whole.audio), diarize.Config{})
		require.Equal(t, len(voices), turns.Speakers())
		require.Less(t, 100*wordScore(whole.ref, turns).WDER(), 2.0)
	}
}

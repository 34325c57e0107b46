package diarize_test

import (
	"context"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/stretchr/testify/require"
)

// An hour, three blocks, has the speakers of its parts, and needs less than 60 MB plus 12 MB for the hour.
func TestAnHour(t *testing.T) {
	long(t)
	if testing.Short() {
		t.Skip("takes 6 s")
	}
	audio := pcm(synthSpeech(11, []int{0, 3}, 1200))
	var turns diarize.Turns
	peak := peakHeap(func() {
		var err error
		turns, err = diarize.Run(context.Background(), io.LimitReader(&loopReader{audio: audio}, 3600*rate*2), diarize.Config{})
		require.NoError(t, err)
	})
	require.Less(t, peak, 72_000_000)
	require.Equal(t, 2, turns.Speakers())
	// The same words of the same speaker get the same speaker in every block.
	first := turns[0]
	for _, turn := range turns {
		if turn.Start == first.Start+1200e9 || turn.Start == first.Start+2400e9 {
			require.Equal(t, first.Speaker, turn.Speaker)
		}
	}
}

// In a long recording with music in a part, a voice that says little is one of a known number, and the others stay whole.
func TestKnownVoiceSaysLittle(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	var whole recording
	samples, ref := script{seed: 77, voices: cast[2:3], length: 30 * time.Second, noise: 25}.play(t)
	for i := range ref {
		ref[i].Speaker = "brief"
	}
	whole.add(samples, ref)
	for seed, music := range []float64{0, 10, 0} {
		whole.add(script{seed: uint64(seed), voices: cast[:2], length: 7 * time.Minute, noise: 25, music: music}.play(t))
	}
	turns := run(t, samplesOf(whole.audio), diarize.Config{Speakers: 3})
	require.Equal(t, 3, turns.Speakers())
	require.Less(t, 100*wordScore(whole.ref, turns).WDER(), 2.0)
}

// peakHeap returns the peak growth of the heap in bytes while fn runs, including garbage.
func peakHeap(fn func()) int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, peak := int(m.HeapInuse), 0
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for {
			runtime.ReadMemStats(&m)
			peak = max(peak, int(m.HeapInuse)-before)
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	fn()
	close(done)
	<-gone
	return peak
}

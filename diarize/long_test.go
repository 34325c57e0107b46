package diarize_test

import (
	"context"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
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

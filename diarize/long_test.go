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

// An hour, three blocks, has the speakers that its parts have, and needs less than 60 MB and 12 MB for the hour.
func TestAnHour(t *testing.T) {
	long(t)
	if testing.Short() {
		t.Skip("six seconds")
	}
	audio := pcm(buzz(11, []int{0, 3}, 400))
	var turns diarize.Turns
	peak := peakHeap(func() {
		var err error
		turns, err = diarize.Run(context.Background(), io.LimitReader(&again{audio: audio}, 3600*rate*2), diarize.Config{})
		require.NoError(t, err)
	})
	require.Less(t, peak, 72_000_000)
	require.Equal(t, run(t, buzz(11, []int{0, 3}, 400), diarize.Config{}).Speakers(), turns.Speakers())
	// The same words of the same speaker are the same speaker's in every block.
	first := turns[0]
	for _, turn := range turns {
		if turn.Start == first.Start+400e9 || turn.Start == first.Start+3200e9 {
			require.Equal(t, first.Speaker, turn.Speaker)
		}
	}
}

// peakHeap returns by how many bytes the heap grew at most while fn ran, garbage included.
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

package speech

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// levels are the energies of frames of 10 ms: the mean of the samples' squares.
type levels []float32

const (
	frame        = 10 * time.Millisecond
	frameSamples = transcript.SampleRate / 100
	frameBytes   = frameSamples * bytesPerSample

	// faint is the energy below which nothing is heard: −66 dB of full scale, 16 steps of 16 bits. A room is louder than that, and so
	// is what an encoder leaves of it; what is softer was never recorded.
	faint = 16 * 16

	// pause is how long silence has to be to be cut in, and quiet how much less energy it has than what is around it: 20 dB.
	pause = 300 * time.Millisecond
	quiet = 0.01
)

// energy measures a frame, which may be a short one.
func energy(pcm []byte) float32 {
	var sum int64
	for i := 0; i+1 < len(pcm); i += 2 {
		v := int64(int16(binary.LittleEndian.Uint16(pcm[i:])))
		sum += v * v
	}
	return float32(sum) / float32(max(len(pcm)/2, 1))
}

// sounds reports whether anything is to be heard between two times.
func (l levels) sounds(from, to time.Duration) bool {
	first, last := min(max(int(from/frame), 0), len(l)), min(int((to+frame-1)/frame), len(l))
	for _, e := range l[first:max(first, last)] {
		if e >= faint {
			return true
		}
	}
	return false
}

// quietest returns the middle of the pause with the least energy in a stretch, the last of equals, and whether it is one in which
// nobody speaks.
func (l levels) quietest(from, to int) (at int, silent bool) {
	const n = int(pause / frame)
	if to-from < n {
		return (from + to) / 2, false
	}
	sum, all := 0.0, 0.0
	least := math.Inf(1)
	for i := from; i < to; i++ {
		sum += float64(l[i])
		all += float64(l[i])
		if i >= from+n {
			sum = max(0, sum-float64(l[i-n]))
		}
		if i >= from+n-1 && sum <= least {
			least, at = sum, i+1-n/2
		}
	}
	mean := least / float64(n)
	return at, mean < faint || mean < quiet*all/float64(to-from)
}

package speech

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// levels has the energy of each frame of 10 ms: the mean square of its samples.
type levels []float32

const (
	frame        = 10 * time.Millisecond
	frameSamples = transcript.SampleRate / 100
	frameBytes   = frameSamples * bytesPerSample

	// silenceEnergy is the energy below which a frame is silent: −66 dB of full scale, 16 steps of 16 bits. Room noise is louder,
	// also after encoding; softer frames have no recorded sound.
	silenceEnergy = 16 * 16

	// pause is the minimum length of a silence to cut in. quiet is how much less energy it has than its surroundings: 20 dB.
	pause = 300 * time.Millisecond
	quiet = 0.01
)

// energy returns the energy of a frame, which may be incomplete.
func energy(pcm []byte) float32 {
	var sum int64
	for i := 0; i+1 < len(pcm); i += 2 {
		v := int64(int16(binary.LittleEndian.Uint16(pcm[i:])))
		sum += v * v
	}
	return float32(sum) / float32(max(len(pcm)/2, 1))
}

// hasSound reports whether there is sound between two times.
func (l levels) hasSound(from, to time.Duration) bool {
	first, last := min(max(int(from/frame), 0), len(l)), min(int((to+frame-1)/frame), len(l))
	for _, e := range l[first:max(first, last)] {
		if e >= silenceEnergy {
			return true
		}
	}
	return false
}

// quietest returns the middle of the pause with the least energy between two frames, the last one of equals, and whether
// it is silent.
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
	return at, mean < silenceEnergy || mean < quiet*all/float64(to-from)
}

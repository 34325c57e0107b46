package fake

import (
	"encoding/binary"
	"math/bits"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// level is the logarithm of the energy of a 10 ms frame, in steps of a quarter octave (0.75 dB). It is computed with integers only,
// because floating-point results may differ between architectures.
type level = uint8

const (
	fullScale    level = 181
	silenceLevel level = fullScale - 110 // −83 dB: below this is digital silence, which says nothing about background noise
	faintLevel   level = fullScale - 75  // −56 dB: below this is never speech
	audibleLevel level = fullScale - 53  // −40 dB: below this is speech only above low noise
)

const (
	frameSamples = transcript.SampleRate / 100
	frameMillis  = 10
	second       = 100 // frames
)

// meter measures levels. Its high-pass filter, y[n] = x[n] − x[n−1] + (31/32)·y[n−1], removes hum, rumble, and offsets below 80 Hz. It
// computes in units of 1/16 of a sample step.
type meter struct{ x, y int64 }

// measure returns the level of a frame of 16-bit little-endian samples.
func (m *meter) measure(frame []byte) level {
	x, y, energy := m.x, m.y, uint64(0)
	for i := 0; i+1 < len(frame); i += 2 {
		next := int64(int16(binary.LittleEndian.Uint16(frame[i:]))) << 4
		y += next - x - y>>5
		x = next
		energy += uint64(y * y)
	}
	m.x, m.y = x, y
	octave := bits.Len64(energy)
	if octave < 3 {
		return 0
	}
	return level(4*(octave-1)) + level(energy>>(octave-3)&3)
}

// smooth applies a median filter of five levels. It removes outliers and keeps edges in place.
func smooth(levels []level) []level {
	out := make([]level, len(levels))
	last := len(levels) - 1
	for i, e := range levels {
		a, b, c, d := levels[max(0, i-2)], levels[max(0, i-1)], levels[min(last, i+1)], levels[min(last, i+2)]
		// The least and the greatest of a to d are never the median of all five.
		f, g := max(min(a, b), min(c, d)), min(max(a, b), max(c, d))
		out[i] = max(min(e, f), min(max(e, f), g))
	}
	return out
}

// histogram counts levels.
type histogram [256]int

// add adds n to the count of each level. With n = −1, it removes levels.
func (h *histogram) add(levels []level, n int) {
	for _, l := range levels {
		h[l] += n
	}
}

// count returns the number of levels l with from ≤ l < to.
func (h *histogram) count(from, to int) (n int) {
	for _, c := range h[from:to] {
		n += c
	}
	return n
}

// rank returns the n-th smallest of the levels that are at least from, counted from 0.
func (h *histogram) rank(from level, n int) level {
	l := int(from)
	for ; l < len(h)-1; l++ {
		if n -= h[l]; n < 0 {
			break
		}
	}
	return level(l)
}

package diarize

const (
	floorReach = 300  // frames: the noise floor is that of the 3 s before and after
	floorShare = 0.05 // of the frames are quieter than the floor …
	topShare   = 0.95 // … and of them are quieter than the top
	leastRange = 8.0  // dB; where the level moves less, there is no speech
	mostRange  = 40.0 // dB; more than that is all the same
	audible    = -75.0
	rangeShare = 0.2   // of the range above the floor, speech begins
	coreReach  = 200   // frames: the loudness of a voice is that of the 2 s before and after
	coreTop    = 0.9   // of its frames are quieter than its top
	coreRange  = 30.0  // dB below the top is still loud enough
	neverLevel = 100.0 // dB; nothing is louder
)

// levels counts the levels of frames, so that quantiles of a sliding stretch cost little.
type levels struct {
	bins  [256]int
	count int
}

func (l *levels) change(bin, by int) {
	l.bins[bin] += by
	l.count += by
}

// quantile returns the level in dB that a share of the frames lie below.
func (l *levels) quantile(share float64) float64 {
	left := int(float64(share * float64(l.count)))
	for v, n := range l.bins {
		if left -= n; left < 0 {
			return binLevel(v)
		}
	}
	return binLevel(255)
}

// slide calls fn for every piece of step frames with the levels of all frames that are at most reach away from its middle
// and that keep wants.
func slide(f *frames, within span, step, reach int, keep func(i int) bool, fn func(piece span, l *levels)) {
	var l levels
	have := span{within.lo, within.lo}
	for lo := within.lo; lo < within.hi; lo += step {
		for ; have.hi < min(within.hi, lo+step/2+reach); have.hi++ {
			if keep(have.hi) {
				l.change(f.bin(have.hi), 1)
			}
		}
		for ; have.lo < lo+step/2-reach; have.lo++ {
			if keep(have.lo) {
				l.change(f.bin(have.lo), -1)
			}
		}
		fn(span{lo, min(lo+step, within.hi)}, &l)
	}
}

// speechLevels returns for each frame of the span the level in dB above which it looks like speech: a fifth up the range
// from the local noise floor, which differs between the microphones of a call. It is neverLevel where the level hardly
// moves or where all is next to inaudible; ok is false where it is that everywhere.
func speechLevels(f *frames, within span) (level []float32, ok bool) {
	level = make([]float32, within.hi-within.lo)
	all := func(int) bool { return true }
	slide(f, within, 100, floorReach, all, func(piece span, l *levels) {
		low, high := l.quantile(floorShare), l.quantile(topShare)
		here := low + float64(min(high-low, mostRange)*rangeShare)
		if high-low < leastRange || high < audible {
			here = neverLevel
		} else {
			ok = true
		}
		for i := piece.lo; i < piece.hi; i++ {
			level[i-within.lo] = float32(here)
		}
	})
	return level, ok
}

// markCore marks the frames of speech that are at most 30 dB below the voice's loudest nearby. Breath, clicks and pauses
// tell little about who it is, and what they tell is the microphone's.
func markCore(f *frames, within span) {
	slide(f, within, 50, coreReach, f.speech, func(piece span, l *levels) {
		top := l.quantile(coreTop)
		for i := piece.lo; i < piece.hi; i++ {
			if f.speech(i) && f.level(i) > top-coreRange {
				*f.flags(i) |= isCore
			}
		}
	})
}

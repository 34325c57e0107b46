package diarize

import "math"

const (
	levelStep  = 100  // frames that have one level
	floorReach = 300  // frames: the noise floor is measured over the 3 s before and after
	floorShare = 0.05 // share of frames below the floor …
	topShare   = 0.95 // … and below the top
	sceneStep  = 50   // frames that have one scene's noise floor
	sceneReach = 200  // frames: noise that fills 2 s …
	sceneEdge  = 25   // … and a bit more before, around, or after a frame is that of its scene; …
	sceneMost  = 0.2  // … it fills them if this share of them …
	sceneEven  = 3.0  // dB; … is at most this far above their floor, …
	sceneLeast = 6.0  // dB; … which is at least this far above that of the 3 s before and after
	leastRange = 8.0  // dB; with a smaller range there is no speech
	mostRange  = 40.0 // dB; larger ranges are treated as this one
	audible    = -75.0
	rangeShare = 0.2   // speech starts at this share of the range above the floor …
	bedShare   = 0.3   // … and over music at this one; there, …
	aboveShare = 0.6   // … frames above this one are loud enough to identify a voice
	coreReach  = 200   // frames: the loudness of a voice is measured over the 2 s before and after
	coreTop    = 0.9   // share of its frames below its top
	coreRange  = 30.0  // dB below the top that are still loud enough
	neverLevel = 100.0 // dB; no frame is louder
	calmRange  = 30.0  // dB; with a larger range, noise hides no speech …
	noisyRange = 20.0  // … and with a smaller one, it hides most quiet syllables
)

// levels is a histogram of frame levels, for quantiles of a sliding window.
type levels struct {
	bins  [256]int
	count int
}

func (l *levels) change(bin, by int) {
	l.bins[bin] += by
	l.count += by
}

// quantile returns the level in dB below which a share of the frames is.
func (l *levels) quantile(share float64) float64 {
	left := int(float64(share * float64(l.count)))
	for v, n := range l.bins {
		if left -= n; left < 0 {
			return binLevel(v)
		}
	}
	return binLevel(255)
}

// slide calls fn for each piece of step frames, with the levels of all frames within reach before and after its centre for which keep
// returns true.
func slide(f *frames, within span, step, reach int, keep func(i int) bool, fn func(piece span, l *levels)) {
	slideAround(f, within, step, span{-reach, reach}, keep, fn)
}

// slideAround does the same with the frames of around, counted from the centre.
func slideAround(f *frames, within span, step int, around span, keep func(i int) bool, fn func(piece span, l *levels)) {
	var l levels
	have := span{within.lo, within.lo}
	for lo := within.lo; lo < within.hi; lo += step {
		for ; have.hi < min(within.hi, lo+step/2+around.hi); have.hi++ {
			if keep(have.hi) {
				l.change(f.bin(have.hi), 1)
			}
		}
		for ; have.lo < lo+step/2+around.lo; have.lo++ {
			if keep(have.lo) {
				l.change(f.bin(have.lo), -1)
			}
		}
		fn(span{lo, min(lo+step, within.hi)}, &l)
	}
}

// speechLevels returns, for each frame of the span, the level in dB above which it is likely speech: 20 % of the range above
// the local noise floor. The floor is local because the microphones of a call differ, and so do the scenes of a report: noise that would be
// speech next to a quieter scene is the floor. The level is neverLevel where the range is small or everything is almost inaudible. ok is false
// if that is so everywhere. Over music, it is 30 %.
func speechLevels(f *frames, within span) (level []float32, ok bool) {
	level, _, ok = levelsAt(f, within, rangeShare, math.Inf(-1), 0)
	return level, ok
}

// levelsAt does the same with another share of the range. Frames at most as loud as silence don't count. noisy is how much noise
// hides, from 0 to 1. Where it is 1, the level is at least above dB above the noise floor, which noise itself exceeds often.
func levelsAt(f *frames, within span, share, silence, above float64) (level, noisy []float32, ok bool) {
	level, noisy = make([]float32, within.len()), make([]float32, within.len())
	heard := func(i int) bool { return f.level(i) > silence }
	set := func(piece span, low, high float64) {
		depth := min(high-low, mostRange)
		hides := min(max((calmRange-(high-low))/(calmRange-noisyRange), 0), 1)
		here, overMusic := low+max(float64(depth*share), hides*above), low+float64(depth*bedShare)
		if high-low < leastRange || high < audible {
			here, overMusic = neverLevel, neverLevel
		} else {
			ok = true
		}
		for i := piece.lo; i < piece.hi; i++ {
			if level[i-within.lo] = float32(here); f.bed(i) {
				level[i-within.lo] = float32(overMusic)
			}
			noisy[i-within.lo] = float32(hides)
		}
	}
	slide(f, within, levelStep, floorReach, heard, func(piece span, l *levels) {
		set(piece, l.quantile(floorShare), l.quantile(topShare))
	})
	// Noise counts if it would be speech otherwise, and speech is heard over it. Music has its own level.
	scenes := sceneFloors(f, within, heard)
	slide(f, within, sceneStep, floorReach, heard, func(piece span, l *levels) {
		low, high := scenes[(piece.lo-within.lo)/sceneStep], l.quantile(topShare)
		if low > max(float64(level[piece.lo-within.lo]), l.quantile(floorShare)+sceneLeast) && low < high-leastRange && !f.bed(piece.lo) {
			set(piece, low, high)
		}
	})
	return level, noisy, ok
}

// sceneFloors returns the noise floor of the scene of each sceneStep frames, or −∞ if no noise fills it. A report or a film is cut from scenes,
// some with noise and some without: next to silence, noise would seem to be speech.
func sceneFloors(f *frames, within span, heard func(i int) bool) []float64 {
	floors := make([]float64, within.len()/sceneStep+1)
	for i := range floors {
		floors[i] = math.Inf(-1)
	}
	for _, around := range []span{{-sceneReach, sceneEdge}, {-sceneReach / 2, sceneReach / 2}, {-sceneEdge, sceneReach}} {
		slideAround(f, within, sceneStep, around, heard, func(piece span, l *levels) {
			low := l.quantile(floorShare)
			if k := (piece.lo - within.lo) / sceneStep; l.count >= sceneReach/2 && l.quantile(sceneMost)-low < sceneEven {
				floors[k] = max(floors[k], low)
			}
		})
	}
	return floors
}

// markCore marks speech frames at most 30 dB below the voice's loudest frames nearby. Breath, clicks and pauses identify the
// microphone rather than the speaker. Over music, a frame must also be in the upper 40 % of the range above the floor, where the voice
// hides the music.
func markCore(f *frames, within span) {
	slide(f, within, 50, coreReach, f.speech, func(piece span, l *levels) {
		top := l.quantile(coreTop)
		for i := piece.lo; i < piece.hi; i++ {
			if f.speech(i) && f.level(i) > top-coreRange {
				*f.flags(i) |= isCore
			}
		}
	})
	all := func(int) bool { return true }
	slide(f, within, 100, floorReach, all, func(piece span, l *levels) {
		low, high := l.quantile(floorShare), l.quantile(topShare)
		above := low + float64(min(high-low, mostRange)*aboveShare)
		for i := piece.lo; i < piece.hi; i++ {
			if f.bed(i) && f.level(i) <= above {
				*f.flags(i) &^= isCore
			}
		}
	})
}

package diarize

import "slices"

const (
	bedFrames = 600 // 6 s: bed music is looked for in windows of this length …
	bedStep   = 200 // … every 2 s …
	bedReach  = 30  // … and the medians of all windows, or those in the minute before and after, decide
	bedQuiet  = 0.1 // the most quiet frames of a window, which have the least speech
	bedDepth  = 40.0
	bedChange = 11.0
)

// bedWindow describes what is under the speech of a window.
type bedWindow struct {
	depth  float64 // range from the floor to the top, in dB
	change float64 // variance of the smoothed coefficients of quiet frames
}

// markBed marks the frames with music under the speech. Such music fills the pauses, so their level is at most 40 dB below speech. And
// its spectrum keeps changing, unlike that of noise: the variance of noise's coefficients, each smoothed over 70 ms, is rarely above
// 10 and that of music rarely below 12.
func markBed(f *frames, block span) {
	var windows []bedWindow
	var centres []int
	for lo := block.lo; lo+bedFrames <= block.hi; lo += bedStep {
		if w, ok := observeBed(f, span{lo, lo + bedFrames}); ok {
			windows, centres = append(windows, w), append(centres, lo+bedFrames/2)
		}
	}
	whole := hasBed(windows)
	for k := range windows {
		if !whole && !hasBed(windows[max(k-bedReach, 0):min(k+bedReach+1, len(windows))]) {
			continue
		}
		s := span{block.lo, block.hi}
		if k > 0 {
			s.lo = (centres[k-1] + centres[k]) / 2
		}
		if k < len(windows)-1 {
			s.hi = (centres[k] + centres[k+1]) / 2
		}
		for i := s.lo; i < s.hi; i++ {
			*f.flags(i) |= isBed
		}
	}
}

// hasBed says whether the medians of the windows are those of music under speech.
func hasBed(windows []bedWindow) bool {
	median := func(value func(bedWindow) float64) float64 {
		values := make([]float64, len(windows))
		for i, w := range windows {
			values[i] = value(w)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return len(windows) > 0 && median(func(w bedWindow) float64 { return w.depth }) < bedDepth && median(func(w bedWindow) float64 { return w.change }) > bedChange
}

// observeBed describes a window. ok is false if it is too even or too quiet for speech.
func observeBed(f *frames, s span) (w bedWindow, ok bool) {
	var l levels
	for i := s.lo; i < s.hi; i++ {
		l.change(f.bin(i), 1)
	}
	low, quiet, high := l.quantile(floorShare), l.quantile(bedQuiet), l.quantile(topShare)
	if high-low < leastRange || high < audible {
		return w, false
	}
	smooth := slidingMean{f: f, reach: syllableReach}
	var x, sum [coefficients]float64
	n, square := 0.0, 0.0
	for i := s.lo; i < s.hi; i++ {
		smooth.at(x[:], i)
		if f.level(i) > quiet {
			continue
		}
		n++
		for k, v := range x[1:] { // the first coefficient is the level
			sum[k] += v
			square += float64(v * v)
		}
	}
	for _, v := range sum {
		square -= float64(v / n * v)
	}
	return bedWindow{high - low, square / n}, true
}

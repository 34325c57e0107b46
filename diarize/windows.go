package diarize

const (
	windowFrames = 150 // 1.5 s
	windowStep   = 75
	windowLeast  = 50 // frames; shorter runs of speech aren't clustered, and get their speaker by re-segmentation
	windowCore   = 20 // least number of loud frames in a window
)

// span is a range of frames from lo until hi (exclusive).
type span struct{ lo, hi int }

func (s span) len() int { return s.hi - s.lo }

// cutWindows returns windows of 1.5 s every 0.75 s inside each run of speech. The last window ends with the run, and a shorter run
// is one window. If that gives fewer than two windows, short runs are included.
func cutWindows(f *frames, runs []span) []span {
	if windows := cutLeast(f, runs, windowLeast); len(windows) > 1 {
		return windows
	}
	return cutLeast(f, runs, windowCore)
}

func cutLeast(f *frames, runs []span, least int) []span {
	var windows []span
	add := func(w span) {
		if coreFrames(f, w) >= windowCore {
			windows = append(windows, w)
		}
	}
	for _, r := range runs {
		if r.len() < least {
			continue
		}
		lo := r.lo
		for ; lo+windowFrames < r.hi; lo += windowStep {
			add(span{lo, lo + windowFrames})
		}
		add(span{max(r.lo, r.hi-windowFrames), r.hi})
	}
	return windows
}

func coreFrames(f *frames, s span) int {
	n := 0
	for i := s.lo; i < s.hi; i++ {
		if f.core(i) {
			n++
		}
	}
	return n
}

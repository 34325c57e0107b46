package diarize

const (
	windowFrames = 150 // 1.5 s
	windowStep   = 75
	windowLeast  = 50 // shorter runs of speech take no part in clustering; re-segmentation gives them their speaker
	windowCore   = 20 // frames that are loud enough to know a voice by; with fewer a window says nothing
)

// span is a range of frames: from lo up to, not including, hi.
type span struct{ lo, hi int }

func (s span) len() int { return s.hi - s.lo }

// cut returns windows of 1.5 s every 0.75 s inside each run of speech; the last one ends with the run, and a shorter run
// is a window of its own. Where there are fewer than two, short runs are windows too.
func cut(f *frames, runs []span) []span {
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

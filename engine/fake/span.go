package fake

import "slices"

// sliver is a piece of speech, in milliseconds, that is too short to be cut off.
const sliver = 200

// span is a stretch of time, from start up to, not including, end, in milliseconds. Several of them are in order and
// don't touch.
type span struct{ start, end int }

func (s span) length() int { return s.end - s.start }

// spoken returns how long all spans are together.
func spoken(spans []span) (ms int) {
	for _, s := range spans {
		ms += s.length()
	}
	return ms
}

// clip returns the part of spans before end, without what is left of a span that is hardly begun.
func clip(spans []span, end int) []span {
	out := spans[:0:0]
	for _, s := range spans {
		if whole := s.end <= end; whole || s.start+click <= end {
			out = append(out, span{s.start, min(s.end, end)})
		}
	}
	return out
}

// cut returns the spans before and after a time. Where the cut would leave a sliver of a span, it moves to the span's
// nearer edge.
func cut(spans []span, at int) (before, after []span) {
	for i, s := range spans {
		switch left, right := at-s.start, s.end-at; {
		case right <= 0 || right < sliver && right <= left:
			continue
		case left < sliver:
			return slices.Clone(spans[:i]), slices.Clone(spans[i:])
		default:
			return append(slices.Clone(spans[:i]), span{s.start, at}), append([]span{{at, s.end}}, spans[i+1:]...)
		}
	}
	return slices.Clone(spans), nil
}

// join returns a and b, which follows it, as spans that don't touch.
func join(a, b []span) []span {
	out := slices.Clone(a)
	if n := len(out); n > 0 && len(b) > 0 && out[n-1].end == b[0].start {
		out[n-1].end = b[0].end
		b = b[1:]
	}
	return append(out, b...)
}

// longestPause returns the index of the span behind the longest pause that has at least room milliseconds of speech on
// both sides, and the length of the pause: 0 when there is none. Of equal pauses it is the one nearest to the middle.
func longestPause(spans []span, room int) (at, length int) {
	total, before, off := spoken(spans), 0, 0
	for i := 1; i < len(spans); i++ {
		before += spans[i-1].length()
		if before < room || total-before < room {
			continue
		}
		pause := spans[i].start - spans[i-1].end
		if d := max(2*before-total, total-2*before); pause > length || pause == length && d < off {
			at, length, off = i, pause, d
		}
	}
	return at, length
}

// roomOf returns how long what is said in spans may be: as long as they are together, but where there are many short ones,
// long enough to have a word for each.
func roomOf(spans []span) (ms int) {
	ms = spoken(spans)
	if len(spans) > 1 {
		ms = max(ms, 550*len(spans))
	}
	return ms
}

// rooms cuts spans at their pauses into rooms, each of which is filled with whole sentences of its own: at longer pauses
// where a short sentence has room on both sides, at shorter ones where an ordinary sentence has. A pause inside a room is
// one that a sentence makes.
func rooms(spans []span) [][]span {
	at, pause := longestPause(spans, 1200)
	if pause < 400 {
		at, pause = longestPause(spans, 2400)
	}
	if pause == 0 {
		return [][]span{spans}
	}
	return append(rooms(spans[:at]), rooms(spans[at:])...)
}

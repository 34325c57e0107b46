package fake

import "slices"

// minPiece is the shortest piece of speech, in milliseconds, that a cut may produce.
const minPiece = 200

// span is a period of time in milliseconds, from start up to, but not including, end. A list of spans is sorted, without overlaps or
// adjacent spans.
type span struct{ start, end int }

func (s span) length() int { return s.end - s.start }

// spoken returns the total length of spans.
func spoken(spans []span) (ms int) {
	for _, s := range spans {
		ms += s.length()
	}
	return ms
}

// clip returns the parts of spans before end. It drops a truncated span that is shorter than a click.
func clip(spans []span, end int) []span {
	out := spans[:0:0]
	for _, s := range spans {
		if whole := s.end <= end; whole || s.start+click <= end {
			out = append(out, span{s.start, min(s.end, end)})
		}
	}
	return out
}

// cut returns the spans before and after a time. If the cut would leave less than minPiece, it moves to the nearer edge of the span.
func cut(spans []span, at int) (before, after []span) {
	for i, s := range spans {
		switch left, right := at-s.start, s.end-at; {
		case right <= 0 || right < minPiece && right <= left:
			continue
		case left < minPiece:
			return slices.Clone(spans[:i]), slices.Clone(spans[i:])
		default:
			return append(slices.Clone(spans[:i]), span{s.start, at}), append([]span{{at, s.end}}, spans[i+1:]...)
		}
	}
	return slices.Clone(spans), nil
}

// join appends b to a, and merges the adjacent spans between them.
func join(a, b []span) []span {
	out := slices.Clone(a)
	if n := len(out); n > 0 && len(b) > 0 && out[n-1].end == b[0].start {
		out[n-1].end = b[0].end
		b = b[1:]
	}
	return append(out, b...)
}

// longestPause returns the index of the span after the longest pause, and the length of the pause. Only pauses with at least the given
// milliseconds of speech on both sides count; the length is 0 if there are none. Of equal pauses, it chooses the one nearest to the middle.
func longestPause(spans []span, least int) (at, length int) {
	total, before, off := spoken(spans), 0, 0
	for i := 1; i < len(spans); i++ {
		before += spans[i-1].length()
		if before < least || total-before < least {
			continue
		}
		pause := spans[i].start - spans[i-1].end
		if d := max(2*before-total, total-2*before); pause > length || pause == length && d < off {
			at, length, off = i, pause, d
		}
	}
	return at, length
}

// blockLength returns how many milliseconds of sentences to choose for spans: their total length, but enough for a word in each of many short
// spans.
func blockLength(spans []span) (ms int) {
	ms = spoken(spans)
	if len(spans) > 1 {
		ms = max(ms, 550*len(spans))
	}
	return ms
}

// blocks divides spans at their pauses into blocks, each of which gets whole sentences. It divides at pauses of 400 ms or more if each
// side has 1.2 s of speech, and at shorter ones if each side has 2.4 s. Pauses inside a block fall into its sentences.
func blocks(spans []span) [][]span {
	at, pause := longestPause(spans, 1200)
	if pause < 400 {
		at, pause = longestPause(spans, 2400)
	}
	if pause == 0 {
		return [][]span{spans}
	}
	return append(blocks(spans[:at]), blocks(spans[at:])...)
}

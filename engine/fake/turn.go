package fake

import (
	"cmp"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	turnPause = 700  // milliseconds: after a longer pause it is somebody else's turn
	aside     = 600  // milliseconds of speech: what is shorter is no turn, but belongs to a turn …
	asideGap  = 1500 // … that is no further away than this
	cough     = 300  // milliseconds of speech: what is shorter and stands alone is nothing
	halfTurn  = 1600 // milliseconds of speech: turns are not cut into shorter ones
)

// turn is what one speaker says without a long pause: one or more spans of speech, in order.
type turn struct {
	speaker int
	spans   []span
}

func (t turn) start() int { return t.spans[0].start }
func (t turn) end() int   { return t.spans[len(t.spans)-1].end }

// rotate is the rule by which speakers are told apart without listening to their voices: after each pause of more than
// 700 ms the next of the speakers has the word. While there are fewer turns than speakers, turns are cut at their
// longest pauses, then in their middle, as long as a sentence has room on both sides. speakers 0 means two, if there
// are two turns.
func rotate(spans []span, speakers int) []turn {
	turns := settle(split(spans, 0))
	for len(turns) < speakers {
		i, left, right := halve(turns)
		if left == nil {
			break
		}
		turns = slices.Replace(turns, i, i+1, turn{spans: left}, turn{spans: right})
	}
	if speakers < 1 {
		speakers = 2
	}
	for i := range turns {
		turns[i].speaker = i % speakers
	}
	return turns
}

// assign cuts spans into the turns that a Diarizer found: in the middle between two speakers' turns, so that no speech is
// lost, or at a pause near to it. Where speakers talk at once, who had the word keeps it. A speaker beyond the expected
// number is taken for one of the others.
func assign(spans []span, found []transcript.Turn, speakers int) []turn {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b transcript.Turn) int { return cmp.Compare(a.Start, b.Start) })
	var turns []turn
	speaker, end := 0, 0
	for i, f := range found {
		who := max(f.Speaker, 0)
		if speakers > 0 {
			who %= speakers
		}
		if i > 0 && who != speaker && int(f.End.Milliseconds()) > end {
			var said []span
			said, spans = cut(spans, (max(end, 0)+max(end, int(f.Start.Milliseconds())))/2)
			turns = append(turns, split(said, speaker)...)
		}
		if i == 0 || int(f.End.Milliseconds()) > end {
			speaker, end = who, int(f.End.Milliseconds())
		}
	}
	return settle(append(turns, split(spans, speaker)...))
}

// split cuts spans into turns at long pauses.
func split(spans []span, speaker int) (turns []turn) {
	for i, s := range spans {
		if i == 0 || s.start-spans[i-1].end > turnPause {
			turns = append(turns, turn{speaker: speaker})
		}
		last := &turns[len(turns)-1]
		last.spans = append(last.spans, s)
	}
	return turns
}

// settle makes asides part of the nearer turn beside them, if that is near enough, and drops coughs, unless there is
// nothing else.
func settle(turns []turn) []turn {
	var out []turn
	for i, t := range turns {
		before, after := asideGap+1, asideGap+1
		if len(out) > 0 {
			before = t.start() - out[len(out)-1].end()
		}
		if i+1 < len(turns) {
			after = turns[i+1].start() - t.end()
		}
		switch {
		case spoken(t.spans) >= aside || min(before, after) > asideGap:
			out = append(out, t)
		case after < before:
			turns[i+1].spans = join(t.spans, turns[i+1].spans)
		default:
			last := &out[len(out)-1]
			last.spans = join(last.spans, t.spans)
		}
	}
	words := slices.DeleteFunc(slices.Clone(out), func(t turn) bool { return spoken(t.spans) < cough })
	if len(words) == 0 {
		return out
	}
	return words
}

// halve returns which turn is best cut in two, and its halves: at the longest pause of all, or else in the middle of the
// longest turn. The halves are nil when all turns are too short.
func halve(turns []turn) (i int, left, right []span) {
	longest, pause := -1, 0
	for n, t := range turns {
		if longest < 0 || spoken(t.spans) > spoken(turns[longest].spans) {
			longest = n
		}
		if at, ms := longestPause(t.spans, halfTurn); ms > pause {
			i, pause, left, right = n, ms, t.spans[:at], t.spans[at:]
		}
	}
	if pause > 0 || longest < 0 || spoken(turns[longest].spans) < 2*halfTurn {
		return i, left, right
	}
	spans := turns[longest].spans
	middle := spoken(spans) / 2
	for _, s := range spans {
		if middle < s.length() {
			left, right = cut(spans, (s.start+middle)/frameMillis*frameMillis)
			break
		}
		middle -= s.length()
	}
	return longest, left, right
}

package fake

import (
	"cmp"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	turnPause    = 700  // milliseconds: a longer pause ends a turn
	shortTurn    = 600  // milliseconds: a turn with less speech is merged into a neighbour …
	shortTurnGap = 1500 // … that is at most this far away
	minIsolated  = 300  // milliseconds: an isolated sound with less speech is dropped
	minHalfTurn  = 1600 // milliseconds of speech that each half of a divided turn must have
)

// turn is one speaker's speech without a long pause: one or more spans in order.
type turn struct {
	speaker int
	spans   []span
}

func (t turn) start() int { return t.spans[0].start }
func (t turn) end() int   { return t.spans[len(t.spans)-1].end }

// alternate assigns speakers by a simple rule: after each pause of more than 700 ms, the next speaker talks. If there are fewer turns than
// speakers, it divides turns at their longest pauses, then in the middle, while both halves have at least minHalfTurn. Without an expected
// number of speakers (0), two alternate.
func alternate(spans []span, speakers int) []turn {
	turns := mergeShortTurns(split(spans, 0))
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

// assignTurns divides spans into the turns that a Diarizer found: in the middle between two speakers' turns, so that no speech is lost, or at a
// pause nearby. When speakers overlap, the first one keeps the turn. Speakers beyond the expected number become one of the others.
func assignTurns(spans []span, found []transcript.Turn, speakers int) []turn {
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
	return mergeShortTurns(append(turns, split(spans, speaker)...))
}

// split divides spans into turns at long pauses.
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

// mergeShortTurns merges short turns into the nearer neighbour, if it is near enough, and drops isolated short sounds, unless there is nothing
// else.
func mergeShortTurns(turns []turn) []turn {
	var out []turn
	for i, t := range turns {
		before, after := shortTurnGap+1, shortTurnGap+1
		if len(out) > 0 {
			before = t.start() - out[len(out)-1].end()
		}
		if i+1 < len(turns) {
			after = turns[i+1].start() - t.end()
		}
		switch {
		case spoken(t.spans) >= shortTurn || min(before, after) > shortTurnGap:
			out = append(out, t)
		case after < before:
			turns[i+1].spans = join(t.spans, turns[i+1].spans)
		default:
			last := &out[len(out)-1]
			last.spans = join(last.spans, t.spans)
		}
	}
	words := slices.DeleteFunc(slices.Clone(out), func(t turn) bool { return spoken(t.spans) < minIsolated })
	if len(words) == 0 {
		return out
	}
	return words
}

// halve returns the index of the turn to divide, and its halves: at the longest pause of all turns, or else in the middle of the longest
// turn. The halves are nil if all turns are too short.
func halve(turns []turn) (i int, left, right []span) {
	longest, pause := -1, 0
	for n, t := range turns {
		if longest < 0 || spoken(t.spans) > spoken(turns[longest].spans) {
			longest = n
		}
		if at, ms := longestPause(t.spans, minHalfTurn); ms > pause {
			i, pause, left, right = n, ms, t.spans[:at], t.spans[at:]
		}
	}
	if pause > 0 || longest < 0 || spoken(turns[longest].spans) < 2*minHalfTurn {
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

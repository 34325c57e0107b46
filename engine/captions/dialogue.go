package captions

import (
	"slices"
	"time"
)

// Dialogue reports whether the cue has the words of two speakers, one per line.
func (c Cue) Dialogue() bool { return len(c.Lines) == 2 && c.Lines[1].turn }

// dash begins each line of a dialogue.
const dash = "- "

// dialogues merges brief cues with a cue of another speaker beside them, so that they can be read. A neighbour of two lines is cut
// between its lines to make room. Cues must be in order.
func dialogues(cues []Cue, o Options) []Cue {
	out := make([]Cue, 0, len(cues))
	for i := 0; i < len(cues); i++ {
		c := cues[i]
		if !c.brief(cues[i+1:], o) {
			out = append(out, c)
			continue
		}
		if i+1 < len(cues) {
			if merged, rest, ok := meet(c, cues[i+1:], o); ok {
				out = append(out, merged)
				if i++; rest != nil {
					cues[i] = *rest
					moveBack(cues[i:])
					i--
				}
				continue
			}
		}
		if n := len(out); n > 0 {
			if before, merged, ok := join(out[n-1], c, o); ok {
				out = append(out[:n-1], before...)
				out = append(out, merged)
				continue
			}
		}
		out = append(out, c)
	}
	for i := 1; i < len(out); i++ {
		c := &out[i]
		c.Turn = c.Turn || c.Label != out[i-1].lastLabel() && (!o.SpeakerPrefix || c.hasRoom(o))
	}
	return out
}

// moveBack moves the first cue behind those that begin before it.
func moveBack(cues []Cue) {
	for i := 1; i < len(cues) && cues[i].Start < cues[i-1].Start; i++ {
		cues[i-1], cues[i] = cues[i], cues[i-1]
	}
}

// lastLabel returns who speaks last in a cue.
func (c Cue) lastLabel() string {
	if c.Dialogue() {
		return c.Lines[1].Label
	}
	return c.Label
}

// brief reports whether a cue has less than MinDuration until the next one begins.
func (c Cue) brief(next []Cue, o Options) bool {
	return len(next) > 0 && next[0].Start-o.Gap-c.Start < o.MinDuration && !c.Dialogue()
}

// meet merges a brief cue of one line with the next one. If that has two lines, the second remains as rest, unless another cue begins before
// it.
func meet(c Cue, following []Cue, o Options) (merged Cue, rest *Cue, ok bool) {
	next := following[0]
	if len(next.Lines) == 2 && !next.Dialogue() {
		first, second := next.halves()
		if second.End-second.Start < o.MinDuration || len(following) > 1 && following[1].Start < second.Start {
			return Cue{}, nil, false
		}
		next, rest = first, &second
	}
	merged, ok = dialogue(c, next, o)
	return merged, rest, ok
}

// join merges a brief cue of one line with the one before it. If that has two lines, the first remains as before.
func join(previous, c Cue, o Options) (before []Cue, merged Cue, ok bool) {
	if len(previous.Lines) == 2 && !previous.Dialogue() {
		first, second := previous.halves()
		if second.Start-first.Start < o.MinDuration || second.Start > c.Start {
			return nil, Cue{}, false
		}
		before, previous = []Cue{first}, second
	}
	merged, ok = dialogue(previous, c, o)
	return before, merged, ok
}

// halves cuts a cue between its two lines.
func (c Cue) halves() (first, second Cue) {
	first, second = c, c
	at := max(c.Lines[1].Words[0].Start, c.Start+time.Millisecond)
	first.Lines, first.End = c.Lines[:1:1], min(max(lastEnd(c.Lines[0]), c.Start+time.Millisecond), at)
	second.Lines, second.Start, second.Turn = c.Lines[1:], at, false
	second.End = max(c.End, at+time.Millisecond)
	return first, second
}

func lastEnd(l Line) time.Duration { return l.Words[len(l.Words)-1].End }

// dialogue returns the cue of two cues of one line each, if two speakers' lines fit and nothing else separates them.
func dialogue(a, b Cue, o Options) (Cue, bool) {
	end := max(a.End, b.End)
	switch {
	case len(a.Lines) != 1 || len(b.Lines) != 1 || a.Label == b.Label, b.Start-a.End > o.MaxPause, end-a.Start > o.MaxDuration:
		return Cue{}, false
	}
	lines := []Line{a.Lines[0], b.Lines[0]}
	for i, c := range []Cue{a, b} {
		l := &lines[i]
		l.Label, l.Speaker, l.turn = c.Label, c.Speaker, true
		if l.Text = dash + l.Text; o.SpeakerPrefix && c.Turn && c.Speaker != "" {
			l.Text = dash + prefixOf(c.Speaker) + c.Lines[0].Text
		}
		if displayWidth(l.Text) > o.Columns {
			return Cue{}, false
		}
	}
	a.Lines, a.End = lines, end
	return a, true
}

// maxDelay is how much later than its first word a cue may begin, to leave time for the one before it.
const maxDelay = 500 * time.Millisecond

// lend lets brief cues borrow time from the cue after them, if that has more than it needs.
func lend(cues []Cue, o Options) {
	for i := range len(cues) - 1 {
		c, next := &cues[i], &cues[i+1]
		need := c.Start + o.MinDuration + o.Gap - next.Start
		room := next.End + o.Linger - next.Start - o.MinDuration
		if i+2 < len(cues) {
			room = min(room, cues[i+2].Start-o.Gap-next.Start-o.MinDuration)
		}
		if delay := min(need, room, maxDelay); delay > 0 {
			next.Start += delay
			next.End = max(next.End, next.Start+time.Millisecond)
		}
	}
	sortCues(cues)
}

// maxLag is maxDelay where people talk at the same time, and cues must follow each other.
const maxLag = time.Second

// flatten ends every cue before the next one begins. A cue that would become too brief delays another speaker's.
func flatten(cues []Cue, o Options) {
	for i := range len(cues) - 1 {
		c, next := &cues[i], &cues[i+1]
		if c.End <= next.Start && c.Label == next.Label {
			continue
		}
		start := min(c.Start+o.MinDuration+o.Gap, next.Start+maxLag)
		next.Start = max(start, next.Start, c.Start+time.Millisecond)
		next.End = max(next.End, next.Start+time.Millisecond)
		c.End = min(c.End, next.Start)
	}
}

// atMostTwo ends the first of three cues that are shown together.
func atMostTwo(cues []Cue) {
	var shown []*Cue
	for i := range cues {
		c := &cues[i]
		shown = slices.DeleteFunc(shown, func(s *Cue) bool { return s.End <= c.Start })
		if len(shown) > 1 && shown[0].Start < c.Start {
			shown[0].End = c.Start
			shown = shown[1:]
		}
		shown = append(shown, c)
	}
}

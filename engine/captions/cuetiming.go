package captions

import "time"

// setEnds says until when cues stay, which are in order and run from their first word to their last. A cue stays a moment
// after its last, but no longer than Hang, unless it needs more to be seen for MinDuration; and it never reaches into the
// Gap before the next. Gaps shorter than CloseGap flicker, so they are closed. Cues of two speakers may overlap where
// they talk at once, those of one never do.
func setEnds(cues []Cue, o Options) {
	sameAfter := map[string]time.Duration{} // start of the speaker's next cue
	for i := len(cues) - 1; i >= 0; i-- {
		c := &cues[i]
		speech, room := c.End, MaxTime*2
		if i+1 < len(cues) && cues[i+1].Start >= c.End {
			c.End = lengthen(c.End, cues[i+1].Start, o)
			room = cues[i+1].Start
		} else if i+1 == len(cues) {
			c.End += o.Hang
		}
		if same, ok := sameAfter[c.Label]; ok {
			room = min(room, same)
		}
		if least := c.Start + o.MinDuration; c.End < least {
			c.End = least
			if room-least < o.CloseGap {
				c.End = max(room-o.Gap, least)
			}
		}
		if room < MaxTime*2 {
			// A gap that would cost a short cue more than half its time isn't left.
			c.End = min(c.End, max(room-o.Gap, (c.Start+min(speech, room)+1)/2), room)
		}
		c.End = min(c.End.Truncate(time.Millisecond), c.Start+o.MaxDuration)
		c.End = max(c.End, c.Start+time.Millisecond)
		sameAfter[c.Label] = c.Start
	}
}

// separate gives the cues of one speaker starts that rise and ends that don't pass the next start.
func separate(cues []Cue) {
	before := map[string]*Cue{}
	for i := range cues {
		c := &cues[i]
		if p := before[c.Label]; p != nil {
			c.Start = max(c.Start, p.Start+2*time.Millisecond)
			p.End = min(p.End, c.Start)
		}
		c.End = max(c.End, c.Start+time.Millisecond)
		before[c.Label] = c
	}
}

// lengthen returns the end of a cue whose last word ends at end, before a cue that begins at next.
func lengthen(end, next time.Duration, o Options) time.Duration {
	gap := next - end
	if gap-o.Gap <= o.Hang || gap < o.CloseGap {
		return next - o.Gap
	}
	return end + min(o.Hang, max(gap-o.CloseGap, 0))
}

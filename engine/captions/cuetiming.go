package captions

import "time"

// setEnds sets the ends of cues, which are in order and last from their first word to their last. A cue stays on screen for up to
// Linger after its last word, or longer to reach MinDuration, but never into the Gap before the next cue. Gaps shorter than
// CloseGap would flicker, so they are closed. Cues of two speakers may overlap; cues of one speaker never do. No cue outlasts the
// media, unless its duration is 0: unknown.
func setEnds(cues []Cue, media time.Duration, o Options) {
	if media <= 0 {
		media = MaxTime * 2
	}
	sameAfter := map[string]time.Duration{} // start of the speaker's next cue
	for i := len(cues) - 1; i >= 0; i-- {
		c := &cues[i]
		speech, room := c.End, MaxTime*2
		if i+1 < len(cues) && cues[i+1].Start >= c.End {
			c.End = lengthen(c.End, cues[i+1].Start, o)
			room = cues[i+1].Start
		} else if i+1 == len(cues) {
			c.End += o.Linger
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
			// No gap if it would take more than half of a short cue.
			c.End = min(c.End, max(room-o.Gap, (c.Start+min(speech, room)+1)/2), room)
		}
		c.End = min(c.End.Truncate(time.Millisecond), c.Start+o.MaxDuration, media)
		c.End = max(c.End, c.Start+time.Millisecond)
		sameAfter[c.Label] = c.Start
	}
}

// separate makes the starts of one speaker's cues increase, and keeps each end before the next start.
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
	if gap-o.Gap <= o.Linger || gap < o.CloseGap {
		return next - o.Gap
	}
	return end + min(o.Linger, max(gap-o.CloseGap, 0))
}

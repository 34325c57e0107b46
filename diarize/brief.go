package diarize

import (
	"context"
	"math"
	"slices"
)

const (
	briefFrames = 5000  // loud frames in overlapping windows, 25 s of speech: where less is said, windows tell too little …
	briefMost   = 7500  // … and up to this much, but separation must be larger
	briefScale  = 1.3   // in a narrower channel, windows tell more
	briefTwo    = 0.75  // two speakers have at least this separation of frames …
	briefMore   = -0.75 // … three or more this one …
	briefMuch   = 0.75  // … and this much more at briefMost
	briefTried  = -0.5  // no frames are grouped where windows have less separation
)

// isBrief says whether so little is said that frames are grouped. all has the moments of all windows.
func isBrief(all *moment) bool {
	return all.direction == nil && all.n <= briefMost && channelScale(all) < briefScale
}

// count returns the number of speakers and the speakers of the windows. found has the groupings of the windows, and all their moments. The
// expected number of speakers needs less separation.
func (b *loudFrames) count(ctx context.Context, found []candidate, all *moment, c Config) (int, []int, error) {
	much, scale := float64(briefMuch*max(0, (all.n-briefFrames)/(briefMost-briefFrames))), channelScale(all)
	best, labels, several := 1, found[0].labels, c.MinSpeakers > 1
	for k := 2; k <= min(len(found), c.MaxSpeakers); k++ {
		if found[k-1].separation < briefTried {
			continue
		}
		into, who, err := b.group(ctx, found[k-1].tried, k)
		if err != nil {
			return 0, nil, err
		}
		if into == nil {
			continue
		}
		s := b.separation(who, k, scale) - much
		if k == c.Expected {
			s += hintBonus
		}
		several = several || k <= 3 && s >= briefTwo
		if several && (k == 2 || s >= briefMore) {
			best, labels = k, into
		}
	}
	return best, labels, nil
}

// group returns the grouping of the frames with the highest likelihood, and that of the windows which it gives; nil if there is none in which each
// speaker has some of both.
func (b *loudFrames) group(ctx context.Context, tried [][]int, k int) (into, who []int, err error) {
	highest, seen := math.Inf(-1), [][]int{}
	for _, labels := range tried {
		if labels = renumber(labels); slices.ContainsFunc(seen, func(s []int) bool { return slices.Equal(s, labels) }) {
			continue
		}
		seen = append(seen, labels)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		frames, likely := b.refine(labels, k)
		if likely <= highest {
			continue
		}
		if majority := b.majority(frames, k); majority != nil {
			into, who, highest = majority, frames, likely
		}
	}
	return into, who, nil
}

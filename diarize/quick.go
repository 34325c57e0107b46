package diarize

import "context"

const (
	quickLeast   = 6000 // loud frames in overlapping windows, 30 s of speech: where less is said, parts of one voice are as far apart as voices
	quickWindows = 8    // windows of a turn, 6 s, on average: where turns are longer, windows tell enough …
	quickTurn    = 400  // … and where they have this many loud frames
	quickTwo     = 2.1  // two speakers have at least this separation of frames …
	quickMore    = 1.8  // … and three or more this one: parts of one voice reach 2.0, but with longer turns than most conversations
	quickAbove   = 2    // this many speakers more are tried than are found
)

// isQuick says whether groups of windows change so often, and so much is said, that frames are grouped. all has the moments of all windows.
func isQuick(labels []int, all *moment) bool {
	return all.direction == nil && all.n >= quickLeast && len(labels) < quickWindows*runsOf(labels)
}

// quick returns the most speakers whose frames are apart and take quick turns, but fewer than manyGroups, who say too little each, and the
// speakers of the windows; 0 if there are none. known is their number, if that is known, else 0. found has the groupings of the windows, of which
// the one into k speakers is the best.
func (b *loudFrames) quick(ctx context.Context, found []candidate, all *moment, known, k int, c Config) (n int, labels []int, err error) {
	from, to, scale := 2, k+quickAbove, channelScale(all)
	if known > 0 {
		from, to = k, k
	}
	for k := from; k <= min(to, len(found), c.MaxSpeakers, manyGroups-1); k++ {
		if err := ctx.Err(); err != nil {
			return 0, nil, err
		}
		if known == 0 && found[k-1].separation < voiceSeparation || found[k-1].labels == nil || !isQuick(found[k-1].labels, all) {
			continue
		}
		who, _ := b.refine(found[k-1].labels, k)
		if who == nil || len(who) >= quickTurn*runsOf(who) {
			continue
		}
		s, least := b.separation(who, k, scale), quickTwo
		if k > 2 {
			least = quickMore
		}
		if k == c.Expected {
			s += hintBonus
		}
		if known == 0 && s < least {
			continue
		}
		into := b.majority(who, k)
		if into == nil {
			continue
		}
		if n, labels = k, into; known == 0 {
			to = max(to, k+quickAbove)
		}
	}
	return n, labels, nil
}

// runsOf returns how many runs of the same label there are.
func runsOf(labels []int) int {
	n := 0
	for i, l := range labels {
		if i == 0 || l != labels[i-1] {
			n++
		}
	}
	return n
}

package diarize

import (
	"context"
	"math"
)

const (
	quickLeast   = 6000 // loud frames in overlapping windows, 30 s of speech: where less is said, parts of one voice are as far apart as voices
	quickWindows = 8    // windows of a turn, 6 s, on average: where turns are longer, windows tell enough …
	quickTurn    = 400  // … and where they have this many loud frames
	quickTwo     = 2.1  // two speakers have at least this separation of frames …
	quickMore    = 1.8  // … and three or more this one: parts of one voice reach 2.0, but with longer turns than most conversations
	quickAbove   = 2    // this many speakers more are tried than are found
	quickTried   = 5    // this many more groupings of the windows are tried
)

// isQuick says whether groups of windows change so often, and so much is said, that frames are grouped. all has the moments of all windows.
func isQuick(labels []int, all *moment) bool {
	return all.direction == nil && all.n >= quickLeast && len(labels) < quickWindows*runsOf(labels)
}

// quick returns the most speakers whose frames are apart and take quick turns, but fewer than manyGroups, who say too little each, and the
// speakers of the windows; no labels if there are none. known is their number, if that is known, else 0. found has the groupings of the windows,
// of which the one into k speakers is the best.
func (b *loudFrames) quick(ctx context.Context, found []candidate, all *moment, known, k int, c Config) (n int, speakers []int, err error) {
	scale := channelScale(all)
	if known > 0 {
		speakers, _ = b.apart(found[k-1].labels, all, k, math.Inf(-1), scale)
		return k, speakers, ctx.Err()
	}
	most := min(len(found), c.MaxSpeakers, manyGroups-1)
	try := func(j int) error {
		least := quickTwo
		if j > 2 {
			least = quickMore
		}
		if j == c.Expected {
			least -= hintBonus
		}
		if found[j-1].separation < voiceSeparation {
			return ctx.Err()
		}
		from := [][]int{found[j-1].labels}
		if j <= k { // a voice that one grouping of the windows loses, another may keep
			from = append(from, found[j-1].tried...)
		}
		for quick := true; quick && n < j && len(from) > 0; from = from[1:] {
			var into []int
			if into, quick = b.apart(from[0], all, j, least, scale); into != nil {
				n, speakers = j, into
			}
		}
		return ctx.Err()
	}
	for j := k + 1; j <= min(max(k, n)+quickAbove, most) && err == nil; j++ {
		err = try(j)
	}
	for j := min(k, most); j >= 2 && n == 0 && err == nil; j-- {
		err = try(j)
	}
	return n, speakers, err
}

// apart returns the speakers of the windows by the frames; none if their turns aren't quick, if a speaker is lost, or if two of the k speakers have
// less than the least separation. quick says whether the turns are. labels are those of the windows by themselves.
func (b *loudFrames) apart(labels []int, all *moment, k int, least, scale float64) (speakers []int, quick bool) {
	if labels == nil || !isQuick(labels, all) {
		return nil, false
	}
	who, _ := b.refine(labels, k)
	switch {
	case who == nil:
		return nil, true
	case len(who) >= quickTurn*runsOf(who):
		return nil, false
	case b.separation(who, k, scale) < least:
		return nil, true
	}
	return b.majority(who, k), true
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

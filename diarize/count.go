package diarize

import (
	"math"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	soloSeparation    = 5.0  // separation that counts for a single speaker
	speakerSeparation = 1.5  // two speakers have at least this separation …
	heardSeparation   = 2.3  // … and this one if each says much: parts of one voice reach 2.2 then
	heardFrames       = 3000 // loud frames in overlapping windows, 15 s of speech, are much: of all on average, or of the two least apart …
	littleHeard       = 0.7  // … and this share of them is little; between them, the least separation grows
	narrowSeparation  = 2.8  // two in a narrow channel, such as a telephone's, have at least this one then: parts of one voice reach 2.75 …
	narrowMore        = 2.5  // … and three or more this one
	evenSeparation    = 2.0  // three or more have at least this one, even if each says much, if two have not much more …
	evenShare         = 0.7  // … so that theirs is this share of it: a voice falls apart more and more easily
	voiceSeparation   = 1.2  // separation that groups of one voice may reach
	clearSeparation   = 5.0  // more separation doesn't make two speakers more different
	moreBonus         = 0.4  // times ln k: small groups are missed more easily than invented
	hintBonus         = 1.0  // for the expected number, if it is more than one
	soloBonus         = 0.3  // for an expected number, when deciding between one speaker and several
	turnBonus         = 1.0  // times ln(heardFrames/n) ≤ 1, for n frames each: to the separation of whole turns …
	turnPairs         = 5    // … in which this many windows of each overlap the one before
)

// favourTurns adds turnBonus where each voice says little, and groups change at pauses only, never within continuous speech. Speakers mostly do,
// and parts of one voice rarely. n is the number of all frames.
func (o *observed) favourTurns(found []candidate, n float64) {
	for i := range found {
		k := float64(i + 1)
		if c := &found[i]; k > 1 && c.labels != nil && o.wholeTurns(c.labels, turnPairs*(i+1)) {
			c.separation += float64(turnBonus * min(max(dsp.Log(heardFrames*k/n), 0), 1))
		}
	}
}

// wholeTurns says whether all windows that overlap the one before have its label. With fewer than least of them, it doesn't.
func (o *observed) wholeTurns(labels []int, least int) bool {
	same := 0
	for i := 1; i < len(labels); i++ {
		if o.windows[i].lo >= o.windows[i-1].hi {
			continue
		}
		if labels[i] != labels[i-1] {
			return false
		}
		same++
	}
	return same >= least
}

// count chooses the number of speakers among candidates, which has k speakers at index k − 1. With b(k) the smallest
// separation among k speakers, it maximises ln b(k) − ln max(voiceSeparation, b(j), j > k) + 0.4·ln k: beyond the right number, the
// separation drops. No b(k) counts for more than clearSeparation, or two voices that differ very much would hide the others. The
// expected number gets a bonus, which has little effect on whether there is more than one speaker. all is the sum of the block's moments,
// or nil for groups of several blocks: other noise or music in each makes parts of a voice as different as voices.
func count(candidates []candidate, all *moment, c Config) int {
	most := min(c.MaxSpeakers, len(candidates))
	for ; most > 1 && candidates[most-1].labels == nil; most-- {
	}
	if most <= c.MinSpeakers {
		return most
	}
	value := func(k int) float64 {
		next := voiceSeparation
		for _, o := range candidates[k:most] {
			next = max(next, min(o.separation, clearSeparation))
		}
		return dsp.Log(min(candidates[k-1].separation, clearSeparation)) - dsp.Log(next) + float64(moreBonus*dsp.Log(float64(k)))
	}
	solo := math.Inf(-1)
	if c.MinSpeakers <= 1 {
		solo = value(1)
	}
	if c.Expected == 1 {
		solo += soloBonus
	} else if c.Expected > 1 {
		solo -= soloBonus
	}
	narrow := all != nil && channelScale(all) > 1
	best, highest := max(c.MinSpeakers, 1), math.Inf(-1)
	for k := max(c.MinSpeakers, 2); k <= most; k++ {
		if candidates[k-1].separation < leastSeparation(k, candidates, all, narrow, c) {
			continue
		}
		v := value(k)
		if v <= solo {
			continue
		}
		if k == c.Expected {
			v += hintBonus
		}
		if v > highest {
			best, highest = k, v
		}
	}
	return best
}

// leastSeparation returns the least separation among k speakers, in a narrow channel or not; other arguments as in count.
func leastSeparation(k int, candidates []candidate, all *moment, narrow bool, c Config) float64 {
	switch {
	case k == c.Expected || all == nil || all.direction != nil:
		return speakerSeparation
	case 0 < c.Speakers && c.Speakers < k: // of a known number, only music may be one more
		return heardSeparation
	}
	least, heard := heardSeparation, max(all.n/float64(k), candidates[k-1].pair)/heardFrames
	switch {
	case k > 2 && heard < 1 && all.n >= 2*heardFrames && candidates[1].separation < leastSeparation(2, candidates, all, narrow, Config{}):
		return heardSeparation // if two are parts of a voice, so are more
	case k > 2 && candidates[k-1].separation >= evenShare*candidates[1].separation:
		least = evenSeparation
	case k == 2 && narrow:
		least = narrowSeparation
	case narrow:
		least = narrowMore
	}
	much := min(max((heard-littleHeard)/(1-littleHeard), 0), 1)
	return speakerSeparation + float64(much*(least-speakerSeparation))
}

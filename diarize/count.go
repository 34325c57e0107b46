package diarize

import (
	"math"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	alone     = 3.2 // the separation that one speaker counts as
	apart     = 1.7 // no two speakers are less apart
	usual     = 1.8 // the separation that groups of one voice may come to
	moreBonus = 0.2 // times ln k: small groups are overlooked more easily than invented
	hintBonus = 1.0 // for the expected number, among several
	soloBonus = 0.3 // for what is expected, where the question is one speaker or several
)

// count chooses the number of speakers among candidates, which has k speakers at index k − 1. With b(k) the smallest
// separation among k speakers it is the k that maximises ln b(k) − ln max(usual, b(j), j > k) + 0.2·ln k: after the right number, the
// separation drops. The expected number gets a bonus; whether there is more than one speaker at all it hardly touches.
func count(candidates []candidate, c Config) int {
	most := min(c.MaxSpeakers, len(candidates))
	for ; most > 1 && candidates[most-1].labels == nil; most-- {
	}
	if most <= c.MinSpeakers {
		return most
	}
	value := func(k int) float64 {
		next := usual
		for _, o := range candidates[k:] {
			next = max(next, o.separation)
		}
		return dsp.Log(candidates[k-1].separation) - dsp.Log(next) + float64(moreBonus*dsp.Log(float64(k)))
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
	best, highest := max(c.MinSpeakers, 1), math.Inf(-1)
	for k := max(c.MinSpeakers, 2); k <= most; k++ {
		if candidates[k-1].separation < apart {
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

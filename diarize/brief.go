package diarize

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	briefFrames = 5000  // loud frames in overlapping windows, 25 s of speech: where less is said, windows tell too little …
	briefMost   = 7500  // … and up to this much, but separation must be larger
	briefScale  = 1.3   // in a narrower channel, windows tell more
	briefTwo    = 0.75  // two speakers have at least this separation of frames …
	briefMore   = -0.75 // … three or more this one …
	briefMuch   = 0.75  // … and this much more at briefMost
	briefTried  = -0.5  // no frames are grouped where windows have less separation
	briefLeast  = 100   // loud frames of a speaker
	briefRounds = 4
	sharedCount = 10000 // in the covariance of a speaker, that within all speakers counts as much as this many frames
)

// brief has the loud frames of a short recording. A window of 1.5 s often has two speakers there, and there are few windows of each.
// So the frames are grouped: starting from each grouping of the windows, a Gaussian of each speaker and the most likely sequence of speakers
// are found in turns, as in resegment. There is too little speech for mixtures: their components would learn what is said.
type brief struct {
	windows []span
	x       [][coefficients]float64
	begins  []bool // frames at the begin of a run
	within  []span // the frames of each window
}

// isBrief says whether so little is said that frames are grouped. all has the moments of all windows.
func isBrief(all *moment) bool {
	return all.direction == nil && all.n <= briefMost && channelScale(all) < briefScale
}

func newBrief(f *frames, windows []span) *brief {
	b := &brief{windows: windows}
	var times []int
	end := 0 // of the run so far
	for _, w := range windows {
		begins := w.lo > end
		for i := max(end, w.lo); i < w.hi; i++ {
			if !f.core(i) {
				continue
			}
			var x [coefficients]float64
			f.cepstrum(x[:], i)
			b.x, b.begins, times = append(b.x, x), append(b.begins, begins), append(times, i)
			begins = false
		}
		end = max(end, w.hi)
	}
	for _, w := range windows {
		b.within = append(b.within, span{sort.SearchInts(times, w.lo), sort.SearchInts(times, w.hi)})
	}
	return b
}

// count returns the number of speakers and the speakers of the windows. found has the groupings of the windows, and all their moments. The
// expected number of speakers needs less separation.
func (b *brief) count(ctx context.Context, found []candidate, all *moment, c Config) (int, []int, error) {
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
		voices := b.moments(who, k)
		for _, v := range voices {
			v.close()
		}
		s, _, _ := closestGroups(voices)
		each := float64(len(b.x)) / float64(k)
		s = float64(scale*s) + float64((scale-1)*price(each, each)) - much
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
func (b *brief) group(ctx context.Context, tried [][]int, k int) (into, who []int, err error) {
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

// refine groups the frames into k speakers, starting from labels of the windows, and returns the log-likelihood; −∞ if a speaker has too few frames.
func (b *brief) refine(labels []int, k int) (who []int, likely float64) {
	who = make([]int, len(b.x))
	for i, w := range b.within {
		for t := w.lo; t < w.hi; t++ {
			who[t] = labels[i]
		}
	}
	for range briefRounds {
		voices := b.moments(who, k)
		if slices.ContainsFunc(voices, func(v *moment) bool { return v.n < briefLeast }) {
			return nil, math.Inf(-1)
		}
		var changed bool
		if likely, changed = b.decode(who, normals(voices)); !changed {
			break
		}
	}
	return who, likely
}

// moments returns the statistics of each of k speakers.
func (b *brief) moments(who []int, k int) []*moment {
	out := make([]*moment, k)
	for i := range out {
		out[i] = new(moment)
	}
	for i, w := range who {
		out[w].frame(&b.x[i])
	}
	return out
}

// decode sets the most likely sequence of speakers, as decodeSpeakers does, and returns its log-likelihood, and whether it is another one.
func (b *brief) decode(who []int, voices []normal) (likely float64, changed bool) {
	scores := make([]float64, len(voices))
	entered, bests := make([]uint64, len(b.x)), make([]uint8, len(b.x))
	for i := range b.x {
		price := turnSwitch
		if b.begins[i] && i > 0 {
			price /= 2
		}
		best := highest(scores)
		leave := scores[best] - price
		for j := range voices {
			if leave > scores[j] {
				scores[j] = leave
				entered[i] |= 1 << j
			}
			scores[j] += voices[j].score(&b.x[i])
		}
		bests[i] = uint8(best)
	}
	state := highest(scores)
	likely = scores[state]
	for i := len(b.x) - 1; i >= 0; i-- {
		changed = changed || who[i] != state
		who[i] = state
		if entered[i]>>state&1 == 1 {
			state = int(bests[i])
		}
	}
	return likely, changed
}

// majority returns the speaker of most frames of each window, or nil if one of the k has no window.
func (b *brief) majority(who []int, k int) []int {
	labels, used := make([]int, len(b.windows)), make([]bool, k)
	for i, w := range b.within {
		votes := make([]float64, k)
		for _, v := range who[w.lo:w.hi] {
			votes[v]++
		}
		labels[i] = highest(votes)
		used[labels[i]] = true
	}
	if slices.Contains(used, false) {
		return nil
	}
	return labels
}

// normal is a Gaussian with full covariance.
type normal struct {
	constant float64
	mean     [coefficients]float64
	factor   [coefficients * coefficients]float64 // the Cholesky factor of the covariance, with the inverse of its diagonal
}

// normals returns the Gaussians of speakers. Their covariances are alike, since each speaker says little.
func normals(voices []*moment) []normal {
	var within [coefficients * coefficients]float64
	n := 0.0
	for _, v := range voices {
		n += v.n
		for i, c := range v.covariance() {
			within[i] += float64(v.n * c)
		}
	}
	out := make([]normal, len(voices))
	for k, v := range voices {
		g := &out[k]
		g.factor = v.covariance()
		for i, w := range within {
			g.factor[i] = (float64(v.n*g.factor[i]) + float64(sharedCount*w/n)) / (v.n + sharedCount)
		}
		for r := range coefficients {
			g.mean[r] = v.sum[r] / v.n
			g.factor[r*coefficients+r] += 1e-3 // as in close
		}
		g.constant = -dsp.LogDet(g.factor[:], coefficients, 1e-6) / 2
		for r := range coefficients {
			g.factor[r*coefficients+r] = 1 / g.factor[r*coefficients+r]
		}
	}
	return out
}

// score returns ln p(x), but for a constant.
func (g *normal) score(x *[coefficients]float64) float64 {
	var y [coefficients]float64 // x − mean in units of the covariance
	sum := 0.0
	for r := range y {
		row := g.factor[r*coefficients:][:r+1]
		v := x[r] - g.mean[r]
		for k, a := range row[:r] {
			v -= float64(a * y[k])
		}
		v *= row[r]
		y[r] = v
		sum += float64(v * v)
	}
	return g.constant - sum/2
}

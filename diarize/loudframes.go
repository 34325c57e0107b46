package diarize

import (
	"math"
	"slices"
	"sort"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	loudLeast   = 100 // loud frames of a speaker
	loudRounds  = 4
	sharedCount = 10000 // in the covariance of a speaker, that within all speakers counts as much as this many frames
)

// loudFrames has the loud frames of a recording in which windows tell too little: one of 1.5 s often has two speakers.
// So the frames are grouped: starting from a grouping of the windows, a Gaussian of each speaker and the most likely sequence of speakers
// are found in turns, as in resegment. Mixtures would learn the first guess, and where little is said, what is said.
type loudFrames struct {
	windows []span
	x       [][coefficients]float64
	begins  []bool // frames at the begin of a run
	within  []span // the frames of each window
}

func newLoudFrames(f *frames, windows []span) *loudFrames {
	most, end := 0, 0 // the end of the run so far
	for _, w := range windows {
		most, end = most+w.hi-max(end, w.lo), max(end, w.hi)
	}
	b := &loudFrames{windows: windows, x: make([][coefficients]float64, 0, most), begins: make([]bool, 0, most)}
	times := make([]int, 0, most)
	end = 0
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

// refine groups the frames into k speakers, starting from labels of the windows, and returns the log-likelihood; −∞ if a speaker has too few frames.
func (b *loudFrames) refine(labels []int, k int) (who []int, likely float64) {
	who = make([]int, len(b.x))
	for i, w := range b.within {
		for t := w.lo; t < w.hi; t++ {
			who[t] = labels[i]
		}
	}
	for range loudRounds {
		voices := b.moments(who, k)
		if slices.ContainsFunc(voices, func(v *moment) bool { return v.n < loudLeast }) {
			return nil, math.Inf(-1)
		}
		var changed bool
		if likely, changed = b.decode(who, normals(voices)); !changed {
			break
		}
	}
	return who, likely
}

// separation returns the least separation of two of the k speakers of the frames, as it would be in wideband speech. See channelScale.
func (b *loudFrames) separation(who []int, k int, scale float64) float64 {
	voices := b.moments(who, k)
	for _, v := range voices {
		v.close()
	}
	s, _, _ := closestGroups(voices)
	each := float64(len(b.x)) / float64(k)
	return float64(scale*s) + float64((scale-1)*price(each, each))
}

// moments returns the statistics of each of k speakers.
func (b *loudFrames) moments(who []int, k int) []*moment {
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
func (b *loudFrames) decode(who []int, voices []normal) (likely float64, changed bool) {
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
func (b *loudFrames) majority(who []int, k int) []int {
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

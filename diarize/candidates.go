package diarize

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	spectralSeeds   = 5
	minGroupFrames  = 400 // frames in a group's overlapping windows; less is a cough, not a speaker
	minForcedFrames = 100 // the same, if the number of speakers is prescribed
	maxImplausible  = 3   // larger numbers aren't tried after this many consecutive numbers without a plausible grouping

	manyGroups   = 7   // if that many speakers or more are known or found, clustering often splits one and joins two, so that …
	moreGroups   = 4   // … groupings into up to this many more are tried, too, whose closest groups are joined …
	clearlyApart = 2.0 // … and separation counts up to this one only, but the likelihood of the frames counts, too …
	likelyScale  = 10  // … on average, times this
)

// neighbourShares are shares of a block's windows to connect as neighbours. No single share suits all recordings.
var neighbourShares = [...]float64{0.03, 0.06, 0.12, 0.25}

// candidate is a grouping of windows, or of groups of blocks, into k speakers.
type candidate struct {
	labels     []int   // nil if there is none
	separation float64 // smallest separation of two groups, as it would be in wideband speech; −∞ if there is none
	pair       float64 // frames of each of these two, on average
	tried      [][]int // groupings from which it was chosen: all if the recording is brief, else some, and none of many groups
}

// candidates returns, at index k − 1, the grouping into k speakers with the largest separation, for k ≤ most.
// Groupings come from spectral clustering of several graphs and from average linkage. Unless all is set, it stops
// when larger numbers are implausible. known is how many groups there are at least, if that is known, else 0.
func candidates(ctx context.Context, vectors [][]float64, moments []moment, most int, all bool, known int) ([]candidate, error) {
	n := len(vectors)
	most = min(most, n)
	out := []candidate{{labels: make([]int, n), separation: soloSeparation}}
	if most < 2 {
		return out, nil
	}
	sum := total(moments)
	scale, short := channelScale(sum), isBrief(sum)
	similarity := similarities(vectors)
	nearest := nearestFirst(similarity)
	rng := rand.NewPCG(3, 4)
	from := max(manyGroups, known)          // least number of many groups
	if known == 0 || sum.direction != nil { // with a neural model, it was not measured
		from = most + 1
	}
	dimensions := most // of k groups, the first k count
	if from <= most {
		dimensions = min(most+moreGroups, n)
	}
	var views [][][]float64
	for _, share := range neighbourShares {
		points, err := neighbourGraph(similarity, nearest, share).embed(ctx, dimensions, rng)
		if err != nil {
			return nil, err
		}
		views = append(views, points)
	}
	tree, err := averageLinkage(ctx, similarity)
	if err != nil {
		return nil, err
	}
	groupings := func(k int) [][]int {
		into := [][]int{cutTree(tree, n, k)}
		for _, points := range views {
			for range spectralSeeds {
				into = append(into, clusterPoints(points, k, rng))
			}
		}
		return into
	}
	for k, bad := 2, 0; k <= most && (all || bad < maxImplausible); k++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		into, many := groupings(k), k >= from
		for more := k + 1; many && more <= min(k+moreGroups, dimensions); more++ {
			for _, labels := range groupings(more) {
				joined, err := joinTo(ctx, k, labels, moments, more)
				if err != nil {
					return nil, err
				}
				if joined != nil {
					into = append(into, joined)
				}
			}
		}
		best := bestGrouping(into, moments, k, minGroupFrames, many)
		if best.labels == nil && all {
			best = bestGrouping(into, moments, k, minForcedFrames, many)
		}
		switch {
		case short:
			best.tried = into
		case k < manyGroups:
			best.tried = slices.Clone(into[:min(quickTried, len(into))])
		}
		each := sum.n / float64(k) // the scale multiplies how much groups differ, not what parameters cost groups of that size
		best.separation = float64(scale*best.separation) + float64((scale-1)*price(each, each))
		bad++
		if best.separation >= speakerSeparation {
			bad = 0
		}
		out = append(out, best)
	}
	return out, nil
}

// bestGrouping returns the grouping into k groups of at least least frames with the largest separation. Of many groups, separation counts up to
// clearlyApart only, and the likelihood of the frames counts, too.
func bestGrouping(groupings [][]int, moments []moment, k int, least float64, many bool) candidate {
	best, highest := candidate{separation: math.Inf(-1)}, math.Inf(-1)
	for _, labels := range groupings {
		groups := sumMoments(labels, moments, k)
		if slices.ContainsFunc(groups, func(g *moment) bool { return g.n < least }) {
			continue
		}
		for _, g := range groups {
			g.close()
		}
		s, a, b := closestGroups(groups)
		value := s
		if many {
			value = min(s, clearlyApart) + float64(likelyScale*likelihood(groups))
		}
		if value > highest {
			best, highest = candidate{labels: labels, separation: s, pair: (groups[a].n + groups[b].n) / 2}, value
		}
	}
	return best
}

// likelihood returns the mean log-likelihood of the frames of closed groups, each by the Gaussian of its group, but for a constant.
func likelihood(groups []*moment) float64 {
	sum, n := 0.0, 0.0
	for _, g := range groups {
		sum -= float64(g.n * g.logDet)
		n += g.n
	}
	return sum / 2 / n
}

// joinTo joins the closest of from groups until k are left, and returns the labels, or nil if a group is empty.
func joinTo(ctx context.Context, k int, labels []int, moments []moment, from int) ([]int, error) {
	groups := sumMoments(labels, moments, from)
	for _, g := range groups {
		if g.n == 0 {
			return nil, nil
		}
		g.close()
	}
	found, err := join(ctx, groups, k, k, 1)
	if err != nil {
		return nil, err
	}
	joined := make([]int, len(labels))
	for i, l := range labels {
		joined[i] = found[k-1].labels[l]
	}
	return joined, nil
}

// similarities returns the dot products of all pairs.
func similarities(vectors [][]float64) [][]float32 {
	similarity := make([][]float32, len(vectors))
	for i := range similarity {
		similarity[i] = make([]float32, len(vectors))
		for j := range i {
			s := float32(dsp.Dot(vectors[i], vectors[j]))
			similarity[i][j], similarity[j][i] = s, s
		}
		similarity[i][i] = 1
	}
	return similarity
}

// sumMoments returns the sum of the moments in each group.
func sumMoments(labels []int, moments []moment, k int) []*moment {
	groups := make([]*moment, k)
	for i := range groups {
		groups[i] = new(moment)
	}
	for i, l := range labels {
		groups[l].add(&moments[i])
	}
	return groups
}

// total returns the sum of the moments.
func total(moments []moment) *moment {
	sum := new(moment)
	for i := range moments {
		sum.add(&moments[i])
	}
	return sum
}

package diarize

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	spectralSeeds   = 5
	minGroupFrames  = 400 // frames in a group's overlapping windows; less is a cough, not a speaker
	minForcedFrames = 100 // the same, if the number of speakers is prescribed
	maxImplausible  = 3   // larger numbers aren't tried after this many consecutive numbers without a plausible grouping
)

// neighbourShares are shares of a block's windows to connect as neighbours. No single share suits all recordings.
var neighbourShares = [...]float64{0.03, 0.06, 0.12, 0.25}

// candidate is a grouping of windows, or of groups of blocks, into k speakers.
type candidate struct {
	labels     []int   // nil if there is none
	separation float64 // smallest separation of two groups, as it would be in wideband speech; −∞ if there is none
	pair       float64 // frames of each of these two, on average
}

// candidates returns, at index k − 1, the grouping into k speakers with the largest separation, for k ≤ most. Groupings come
// from spectral clustering of several graphs and from average linkage. Unless all is set, it stops when larger numbers are
// implausible.
func candidates(ctx context.Context, vectors [][]float64, moments []moment, most int, all bool) ([]candidate, error) {
	n := len(vectors)
	most = min(most, n)
	out := []candidate{{labels: make([]int, n), separation: soloSeparation}}
	if most < 2 {
		return out, nil
	}
	sum := total(moments)
	scale := channelScale(sum)
	similarity := similarities(vectors)
	nearest := nearestFirst(similarity)
	rng := rand.NewPCG(3, 4)
	var views [][][]float64
	for _, share := range neighbourShares {
		points, err := neighbourGraph(similarity, nearest, share).embed(ctx, most, rng)
		if err != nil {
			return nil, err
		}
		views = append(views, points)
	}
	tree, err := averageLinkage(ctx, similarity)
	if err != nil {
		return nil, err
	}
	for k, bad := 2, 0; k <= most && (all || bad < maxImplausible); k++ {
		groupings := [][]int{cutTree(tree, n, k)}
		for _, points := range views {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for range spectralSeeds {
				groupings = append(groupings, clusterPoints(points, k, rng))
			}
		}
		best := bestGrouping(groupings, moments, k, minGroupFrames)
		if best.labels == nil && all {
			best = bestGrouping(groupings, moments, k, minForcedFrames)
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

// bestGrouping returns the grouping into k groups of at least least frames with the largest separation.
func bestGrouping(groupings [][]int, moments []moment, k int, least float64) candidate {
	best := candidate{separation: math.Inf(-1)}
	for _, labels := range groupings {
		if s, pair := minSeparation(labels, moments, k, least); s > best.separation {
			best = candidate{labels, s, pair}
		}
	}
	return best
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

// minSeparation returns the smallest separation of two of the k groups, or −∞ if one has fewer frames than least, and the frames of each of
// these two, on average.
func minSeparation(labels []int, moments []moment, k int, least float64) (separation, pair float64) {
	groups := sumMoments(labels, moments, k)
	for _, g := range groups {
		if g.n < least {
			return math.Inf(-1), 0
		}
	}
	for _, g := range groups {
		g.close()
	}
	s, a, b := closestGroups(groups)
	return s, (groups[a].n + groups[b].n) / 2
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

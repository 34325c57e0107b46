package diarize

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	spectralSeeds = 5
	leastGroup    = 400 // frames of its windows, which overlap: less is a cough, not somebody
	leastAsked    = 100 // … unless there have to be so many speakers
	hopeless      = 3   // after so many numbers in a row that can't be, larger ones aren't tried
)

// neighbourShares are how many of a block's windows are neighbours. No one share is right for all recordings.
var neighbourShares = [...]float64{0.03, 0.06, 0.12, 0.25}

// candidate is a grouping of windows, or of the groups of blocks, into k speakers.
type candidate struct {
	labels     []int   // nil when there is none
	separation float64 // of the two groups that are the most alike; −∞ when there is none
}

// candidates returns at index k − 1 the grouping into k speakers, k ≤ most, whose two most alike groups are the furthest
// apart. Groupings come from spectral clustering of several graphs and from average linkage. Without all it stops where more
// speakers are hopeless.
func candidates(ctx context.Context, vectors [][]float64, moments []moment, most int, all bool) ([]candidate, error) {
	n := len(vectors)
	most = min(most, n)
	out := []candidate{{labels: make([]int, n), separation: alone}}
	if most < 2 {
		return out, nil
	}
	similarity := similarities(vectors)
	rng := rand.NewPCG(3, 4)
	var views [][][]float64
	for _, share := range neighbourShares {
		points, err := neighbourGraph(similarity, share).embed(ctx, most, rng)
		if err != nil {
			return nil, err
		}
		views = append(views, points)
	}
	tree, err := averageLinkage(ctx, similarity)
	if err != nil {
		return nil, err
	}
	for k, bad := 2, 0; k <= most && (all || bad < hopeless); k++ {
		groupings := [][]int{cutTree(tree, n, k)}
		for _, points := range views {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for range spectralSeeds {
				groupings = append(groupings, scatter(points, k, rng))
			}
		}
		best := furthest(groupings, moments, k, leastGroup)
		if best.labels == nil && all {
			best = furthest(groupings, moments, k, leastAsked)
		}
		bad++
		if best.separation >= apart {
			bad = 0
		}
		out = append(out, best)
	}
	return out, nil
}

// furthest returns the grouping into k groups, each of at least so many frames, whose two most alike groups are the furthest
// apart.
func furthest(groupings [][]int, moments []moment, k int, least float64) candidate {
	best := candidate{separation: math.Inf(-1)}
	for _, labels := range groupings {
		if s := separationOf(labels, moments, k, least); s > best.separation {
			best = candidate{labels, s}
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

// separationOf returns the smallest separation between two of the k groups, −∞ when one has fewer frames than least.
func separationOf(labels []int, moments []moment, k int, least float64) float64 {
	groups := gather(labels, moments, k)
	for _, g := range groups {
		if g.n < least {
			return math.Inf(-1)
		}
	}
	for _, g := range groups {
		g.close()
	}
	s, _, _ := weakest(groups)
	return s
}

// gather adds up the moments of each group.
func gather(labels []int, moments []moment, k int) []*moment {
	groups := make([]*moment, k)
	for i := range groups {
		groups[i] = new(moment)
	}
	for i, l := range labels {
		groups[l].add(&moments[i])
	}
	return groups
}

package diarize

import (
	"context"
	"math"
	"slices"
)

const (
	solidFrames    = 6000 // frames in a group's overlapping windows, 30 s of speech: enough to say how much two voices differ
	rareSeparation = 2.5  // a smaller group is a speaker of its own if it is that far from all others
)

// match finds the speakers of the groups of all blocks, and the speaker of each group. Groups of half a minute decide how many there are:
// smaller ones have the sounds that are most unlike a voice, also where the voice is the same. They join the nearest speaker, or are a
// speaker of their own if they are clearly different from all.
func match(ctx context.Context, groups []*moment, c Config) (speakers int, labels []int, err error) {
	all := new(moment)
	for _, g := range groups {
		all.add(g)
	}
	scale := channelScale(all)
	var solid []int
	for i, g := range groups {
		if g.n >= solidFrames {
			solid = append(solid, i)
		}
	}
	if len(solid) < max(c.MinSpeakers, 1) {
		solid = solid[:0]
		for i := range groups {
			solid = append(solid, i)
		}
	}
	members := make([]*moment, len(solid))
	for i, g := range solid {
		members[i] = groups[g]
	}
	joined, err := join(ctx, members, 1, c.MaxSpeakers, scale)
	if err != nil {
		return 0, nil, err
	}
	speakers = count(joined, nil, c)
	labels = make([]int, len(groups))
	for i := range labels {
		labels[i] = -1
	}
	voices := make([]*moment, speakers)
	for i := range voices {
		voices[i] = new(moment)
	}
	for i, g := range solid {
		labels[g] = joined[speakers-1].labels[i]
		voices[labels[g]].add(groups[g])
	}
	for _, v := range voices {
		v.close()
	}
	for i, g := range groups {
		if labels[i] >= 0 {
			continue
		}
		least := math.Inf(1)
		for k, v := range voices {
			if s := scale * separation(g, v); s < least {
				least, labels[i] = s, k
			}
		}
		if least > rareSeparation && len(voices) < c.MaxSpeakers {
			labels[i] = len(voices)
			voices = append(voices, new(moment))
		}
		voices[labels[i]].add(g)
		voices[labels[i]].close()
	}
	return len(voices), labels, nil
}

// join repeatedly joins the two groups of all blocks with the smallest separation. At index k − 1 it returns the grouping
// into k speakers, for least ≤ k ≤ most. It multiplies separations by scale.
func join(ctx context.Context, groups []*moment, least, most int, scale float64) ([]candidate, error) {
	n := len(groups)
	labels := make([]int, n)
	alive := slices.Clone(groups)
	apart := make([][]float64, n) // apart[i][j], j < i
	for i := range groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		labels[i] = i
		apart[i] = make([]float64, i)
		for j := range i {
			apart[i][j] = scale * separation(groups[i], groups[j])
		}
	}
	out := make([]candidate, min(n, most))
	for k := n; ; k-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		closest, a, b := math.Inf(1), 0, 0
		for i := range alive {
			for j := range i {
				if alive[i] != nil && alive[j] != nil && apart[i][j] < closest {
					closest, a, b = apart[i][j], j, i
				}
			}
		}
		if k == 1 {
			closest = soloSeparation
		}
		if k <= most {
			out[k-1] = candidate{labels: renumber(labels), separation: closest}
		}
		if k <= least {
			return out, nil
		}
		joined := new(moment)
		joined.add(alive[a])
		joined.add(alive[b])
		joined.close()
		alive[a], alive[b] = joined, nil
		for i, l := range labels {
			if l == b {
				labels[i] = a
			}
		}
		for i, o := range alive {
			if o != nil && i != a {
				apart[max(i, a)][min(i, a)] = scale * separation(joined, o)
			}
		}
	}
}

// renumber returns labels numbered from 0 in order of appearance.
func renumber(labels []int) []int {
	names, out := map[int]int{}, make([]int, len(labels))
	for i, l := range labels {
		if _, ok := names[l]; !ok {
			names[l] = len(names)
		}
		out[i] = names[l]
	}
	return out
}

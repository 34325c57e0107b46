package diarize

import (
	"context"
	"math"
	"slices"
)

// grouping has the groups of all blocks.
type grouping struct {
	guesses  []assignment
	music    []span // windows of music
	groups   []*moment
	labels   []int // the speaker of each group
	speakers int
}

// joinTo joins speakers until n are left: those first that are little apart, or of which one says little.
func (g *grouping) joinTo(ctx context.Context, n int) error {
	for ; g.speakers > n; g.speakers-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		voices := sumGroups(g.groups, g.labels, g.speakers)
		least, a, b := math.Inf(1), 0, 0
		for i, v := range voices {
			for j, w := range voices[:i] {
				if cost := float64(separation(v, w) * min(v.n, w.n)); cost < least {
					least, a, b = cost, j, i
				}
			}
		}
		relabel(g.labels, a, b)
		g.labels = renumber(g.labels)
	}
	return nil
}

// sumGroups returns the moment of each speaker.
func sumGroups(groups []*moment, labels []int, speakers int) []*moment {
	voices := make([]*moment, speakers)
	for i := range voices {
		voices[i] = new(moment)
	}
	for i, l := range labels {
		voices[l].add(groups[i])
	}
	for _, v := range voices {
		v.close()
	}
	return voices
}

// groupBlocks clusters the windows of each block, and matches the groups across blocks.
func groupBlocks(ctx context.Context, f *frames, p *embeddings, blocks []span, c Config, done func(share float64)) (grouping, error) {
	local, several := c, len(blocks) > 1 || c.Speakers > 0
	if several {
		local.MinSpeakers, local.MaxSpeakers, local.Expected = 1, max(c.MaxSpeakers, blockGroups), 0 // a block need not have every speaker …
		if c.Speakers > 0 {
			local.MinSpeakers = c.Speakers // … but for an exact number this does no harm: parts of a voice are merged later
		}
	}
	var out grouping
	var counted []int // the speakers of blocks that were counted
	for i, b := range blocks {
		var block clustering
		var err error
		if len(blocks) == 1 && c.Speakers > 1 && p.embedder == nil {
			block, err = clusterMasked(ctx, f, p, b, local)
		} else {
			block, err = cluster(ctx, f, p, b, local, len(blocks) > 1)
		}
		if err != nil {
			return out, err
		}
		for w, s := range block.windows {
			out.guesses = append(out.guesses, assignment{s, len(out.groups) + block.labels[w]})
		}
		out.groups = append(out.groups, block.groups...)
		out.music = append(out.music, block.music...)
		if block.counted > 0 {
			counted = append(counted, block.counted)
		}
		collectGarbage(blocks)
		done(float64(i+1) / float64(len(blocks)+1))
	}
	out.speakers, out.labels = len(out.groups), make([]int, len(out.groups))
	for i := range out.labels {
		out.labels[i] = i
	}
	var err error
	if several && len(out.groups) > 0 {
		total := c
		if len(counted) > 0 { // usually, a recording has at least as many speakers as its blocks
			slices.Sort(counted)
			total.MinSpeakers = max(c.MinSpeakers, min(counted[(len(counted)-1)/2], c.MaxSpeakers))
		}
		if out.speakers, out.labels, err = match(ctx, out.groups, total); err != nil {
			return out, err
		}
	}
	if len(out.groups) > 1 && c.Speakers == 0 && p.embedder == nil {
		if out.labels, err = unmask(ctx, f, out.guesses, out.groups, out.labels, c, len(blocks) > 1); err != nil {
			return out, err
		}
		out.speakers = slices.Max(out.labels) + 1
	}
	return out, nil
}

package diarize

import (
	"context"
	"math"
	"runtime"
	"slices"
)

// blockFrames is the longest block that is clustered: 20 min, 1,600 windows. Clustering compares all pairs, so its time and
// memory grow quadratically.
const blockFrames = 20 * 60 * 100

// splitBlocks divides a recording into blocks of equal length, none longer than blockFrames.
func splitBlocks(n int) []span {
	count := (n + blockFrames - 1) / blockFrames
	blocks := make([]span, count)
	for i := range blocks {
		blocks[i] = span{i * n / count, (i + 1) * n / count}
	}
	return blocks
}

// collectGarbage frees the garbage of a block. Without it, garbage would grow as large as the features, which are 80 MB for 10 h; a
// block leaves up to 60 MB.
func collectGarbage(blocks []span) {
	if len(blocks) > 1 {
		runtime.GC()
	}
}

// findSpeakers clusters the windows of each block, matches the groups across blocks, sets a first speaker for each frame of
// a window, and returns the number of speakers.
func findSpeakers(ctx context.Context, f *frames, p *embeddings, blocks []span, c Config, done func(share float64)) (int, error) {
	local := c
	if len(blocks) > 1 {
		local.MinSpeakers, local.Expected = 1, 0 // a block need not have every speaker …
		if c.Speakers > 0 {
			local.MinSpeakers = c.Speakers // … but for an exact number this does no harm: parts of a voice are merged later
		}
	}
	var guesses []assignment
	var groups []*moment
	for i, b := range blocks {
		windows, chosen, found, err := cluster(ctx, f, p, b, local)
		if err != nil {
			return 0, err
		}
		for w, s := range windows {
			guesses = append(guesses, assignment{s, len(groups) + chosen[w]})
		}
		groups = append(groups, found...)
		collectGarbage(blocks)
		done(float64(i+1) / float64(len(blocks)+1))
	}
	if len(groups) == 0 {
		if len(blocks) > 0 && slices.ContainsFunc(blocks, func(b span) bool { return len(f.runs(b)) > 0 }) {
			return 1, nil // there is speech, but too little for a window
		}
		return 0, nil
	}
	labels := make([]int, len(groups))
	for i := range labels {
		labels[i] = i
	}
	speakers := len(groups)
	if len(blocks) > 1 {
		matched, err := match(ctx, groups, c.MaxSpeakers)
		if err != nil {
			return 0, err
		}
		speakers = count(matched, c)
		labels = matched[speakers-1].labels
	}
	for _, g := range guesses {
		for i := g.window.lo; i < g.window.hi; i++ {
			if f.speech(i) {
				*f.who(i) = uint8(labels[g.group])
			}
		}
	}
	return speakers, nil
}

// assignment is a window and its group.
type assignment struct {
	window span
	group  int
}

// cluster groups the windows of one block.
func cluster(ctx context.Context, f *frames, p *embeddings, block span, c Config) (windows []span, labels []int, groups []*moment, err error) {
	var vectors [][]float64
	if p.embedder != nil {
		windows, vectors = p.windows(f, block)
	} else if windows = cutWindows(f, f.runs(block)); len(windows) > 0 {
		vectors, err = keys(ctx, f, windows)
	}
	if len(windows) == 0 || err != nil {
		return nil, nil, nil, err
	}
	moments := make([]moment, len(windows))
	for i, w := range windows {
		moments[i].observe(f, w)
		if p.embedder != nil {
			moments[i].direction = vectors[i]
		}
	}
	found, err := candidates(ctx, vectors, moments, c.MaxSpeakers, c.MinSpeakers > 1)
	if err != nil {
		return nil, nil, nil, err
	}
	k := count(found, c)
	labels = found[k-1].labels
	groups = sumMoments(labels, moments, k)
	for _, g := range groups {
		g.close()
	}
	return windows, labels, groups, nil
}

// match repeatedly joins the two groups of all blocks with the smallest separation. At index k − 1 it returns the grouping
// into k speakers, for k ≤ most.
func match(ctx context.Context, groups []*moment, most int) ([]candidate, error) {
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
			apart[i][j] = separation(groups[i], groups[j])
		}
	}
	out := make([]candidate, min(n, most))
	for k := n; ; k-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		least, a, b := math.Inf(1), 0, 0
		for i := range alive {
			for j := range i {
				if alive[i] != nil && alive[j] != nil && apart[i][j] < least {
					least, a, b = apart[i][j], j, i
				}
			}
		}
		if k == 1 {
			least = soloSeparation
		}
		if k <= most {
			out[k-1] = candidate{renumber(labels), least}
		}
		if k == 1 {
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
				apart[max(i, a)][min(i, a)] = separation(joined, o)
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

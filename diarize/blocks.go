package diarize

import (
	"context"
	"math"
	"runtime"
	"slices"
)

// blockFrames is the longest stretch that is clustered at once: 20 minutes, 1,600 windows. Clustering compares all pairs, so
// its time and memory grow with the square of it.
const blockFrames = 20 * 60 * 100

// split cuts a recording into blocks of equal length, none longer than blockFrames.
func split(n int) []span {
	count := (n + blockFrames - 1) / blockFrames
	blocks := make([]span, count)
	for i := range blocks {
		blocks[i] = span{i * n / count, (i + 1) * n / count}
	}
	return blocks
}

// tidy frees what a block left behind. By itself the collector would let garbage grow as large as the features are, which in
// ten hours is 80 MB; each block leaves up to 60.
func tidy(blocks []span) {
	if len(blocks) > 1 {
		runtime.GC()
	}
}

// findSpeakers groups the windows of each block, matches the groups of all blocks, writes to each frame of a window its
// first guess of a speaker, and returns how many there are.
func findSpeakers(ctx context.Context, f *frames, p *prints, blocks []span, c Config, done func(share float64)) (int, error) {
	local := c
	if len(blocks) > 1 {
		local.MinSpeakers, local.Expected = 1, 0 // not everybody is in every block …
		if c.Speakers > 0 {
			local.MinSpeakers = c.Speakers // … but here it doesn't harm: parts of a voice find together again
		}
	}
	var guesses []guess
	var groups []*moment
	for i, b := range blocks {
		windows, chosen, found, err := cluster(ctx, f, p, b, local)
		if err != nil {
			return 0, err
		}
		for w, s := range windows {
			guesses = append(guesses, guess{s, len(groups) + chosen[w]})
		}
		groups = append(groups, found...)
		tidy(blocks)
		done(float64(i+1) / float64(len(blocks)+1))
	}
	if len(groups) == 0 {
		if len(blocks) > 0 && slices.ContainsFunc(blocks, func(b span) bool { return len(f.runs(b)) > 0 }) {
			return 1, nil // a word, too short to be a window
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

// guess is a window and the group that it was put into.
type guess struct {
	window span
	group  int
}

// cluster groups the windows of one block.
func cluster(ctx context.Context, f *frames, p *prints, block span, c Config) (windows []span, labels []int, groups []*moment, err error) {
	var vectors [][]float64
	if p.embedder != nil {
		windows, vectors = p.windows(f, block)
	} else if windows = cut(f, f.runs(block)); len(windows) > 0 {
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
	groups = gather(labels, moments, k)
	for _, g := range groups {
		g.close()
	}
	return windows, labels, groups, nil
}

// match joins, again and again, the two groups of all blocks that are the least apart, and returns at index k − 1 the
// grouping into k speakers on the way, k ≤ most.
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
			least = alone
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

// renumber returns labels numbered from 0, in the order of their first.
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

package search

import (
	"cmp"
	"math/bits"
	"slices"
)

// picker chooses windows within a token budget.
type picker struct {
	all    []excerpt
	chosen []bool
	used   int
}

// pick chooses windows in the given order while the tokens used since mark stay within limit.
func (p *picker) pick(order []int, mark, limit int) {
	for _, i := range order {
		if !p.chosen[i] && p.used-mark+p.all[i].tokens <= limit {
			p.chosen[i] = true
			p.used += p.all[i].tokens
		}
	}
}

// pickExcerpts chooses the windows; see ChoosePassages.
func pickExcerpts(all []excerpt, recordings, budget int) []bool {
	p := picker{all: all, chosen: make([]bool, len(all))}
	of := make([][]int, recordings)
	for i, x := range all {
		of[x.recording] = append(of[x.recording], i)
	}
	share := budget / recordings
	for _, windows := range of {
		for n, i := range windows {
			all[i].rank = spread(n, len(windows))
		}
		mark := p.used
		best := p.bestFirst(windows)
		p.pick(best, mark, share/2)
		p.pick(p.neighbours(best), mark, share)
	}
	var every []int
	for _, windows := range of {
		every = append(every, windows...)
	}
	every = p.bestFirst(every)
	p.pick(every, 0, budget)
	if p.used == 0 {
		p.cutToFit(every[0], budget)
	}
	return p.chosen
}

// bestFirst orders windows by score, then by their spread over the recording, then by recording.
func (p *picker) bestFirst(windows []int) []int {
	return slices.SortedFunc(slices.Values(windows), func(a, b int) int {
		x, y := p.all[a], p.all[b]
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.rank, y.rank), cmp.Compare(a, b))
	})
}

// neighbours returns the windows after and before the chosen ones, in the order of the chosen ones.
func (p *picker) neighbours(order []int) (beside []int) {
	for _, i := range order {
		if !p.chosen[i] {
			continue
		}
		for _, n := range []int{i + 1, i - 1} {
			if n >= 0 && n < len(p.all) && p.all[n].recording == p.all[i].recording {
				beside = append(beside, n)
			}
		}
	}
	return beside
}

// cutToFit chooses a window that is too long, with as many of its first utterances as fit, at least one.
func (p *picker) cutToFit(i, budget int) {
	x := &p.all[i]
	x.to = x.from + max(1, (x.to-x.from)*budget/x.tokens)
	p.chosen[i] = true
}

// spread numbers n things so that the first few numbers are far apart: by bit-reversed position.
func spread(place, n int) int {
	width := bits.Len(uint(n - 1))
	return int(bits.Reverse(uint(place)) >> (bits.UintSize - max(width, 1)))
}

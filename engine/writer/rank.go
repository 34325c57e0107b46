package writer

import (
	"math/bits"
	"slices"
)

// worth says how much each remark says for the whole talk: how much its terms are those of other remarks (a sum of
// weights, as in centrality by shared words), at a length that can be read at a glance. What leans on the sentence before
// it counts less, questions count half. Remarks that have terms of the focus count up to four times as much.
func (a *author) worth() []int {
	t := a.talk
	worth := make([]int, len(t.remarks))
	near := a.relevance()
	for i, r := range t.remarks {
		sum := 0
		for _, id := range r.terms {
			sum += t.weights[id] * (1 + 2*min(max(t.uses[id]-1, 0), 8))
		}
		w := 1000 * sum / (len(r.terms) + 6) * ease(r.length) / 100
		if r.asks {
			w /= 2
		}
		if r.weak {
			w = w * 3 / 5
		}
		worth[i] = w * (1000 + 3*near[i]) / 1000
	}
	return worth
}

// ease is how easily a sentence of so many words is taken in, in percent.
func ease(words int) int {
	switch {
	case words < 4:
		return 15
	case words < 7:
		return 60
	case words < 10:
		return 90
	case words <= 26:
		return 100
	case words <= 40:
		return 70
	}
	return 35
}

// relevance says how much of the focus each remark has, by weight, in thousandths.
func (a *author) relevance() []int {
	near := make([]int, len(a.talk.remarks))
	all := 0
	for _, id := range a.focus {
		all += a.talk.weights[id]
	}
	if all == 0 {
		return near
	}
	for i, r := range a.talk.remarks {
		sum := 0
		for _, id := range a.focus {
			if _, ok := slices.BinarySearch(r.terms, id); ok {
				sum += a.talk.weights[id]
			}
		}
		near[i] = 1000 * sum / all
	}
	return near
}

// pick returns at most n remarks, best first: each the one whose score is highest when what it has in common with those
// before it is taken off (maximal marginal relevance). A score of 0 is never picked.
func (t *talk) pick(score []int, n int) (picked []int) {
	common := make([]int, len(t.remarks)) // thousandths, with the picked one that is most like it
	for len(picked) < n {
		best, most := -1, 0
		for i := range t.remarks {
			if s := score[i] * (1000 - common[i]); s > most {
				best, most = i, s
			}
		}
		if best < 0 {
			break
		}
		picked = append(picked, best)
		for i := range t.remarks {
			common[i] = max(common[i], t.alike(i, best))
		}
	}
	return picked
}

// alike says how much two remarks have in common, in thousandths: their shared terms, and half for sentences of one breath.
func (t *talk) alike(i, j int) int {
	a, b := t.remarks[i], t.remarks[j]
	if a.text == b.text {
		return 1000
	}
	shared, first, second := 0, 1, 1
	for _, id := range a.terms {
		first += t.weights[id]
		if _, ok := slices.BinarySearch(b.terms, id); ok {
			shared += t.weights[id]
		}
	}
	for _, id := range b.terms {
		second += t.weights[id]
	}
	like := 1000 * shared / min(first, second)
	if a.said == b.said {
		like = max(like, 500)
	}
	return min(like, 1000)
}

// best returns at most n remarks that are worth most, in order of the talk.
func (a *author) best(n int) []int {
	picked := a.talk.pick(a.worth(), n)
	if len(picked) == 0 && len(a.talk.remarks) > 0 {
		picked = []int{0} // nothing but small words is said
	}
	slices.Sort(picked)
	return picked
}

// log2 returns 16·log₂(n/d) for n ≥ d ≥ 1, rounded down. It squares in integers, so that it is the same everywhere.
func log2(n, d int) int {
	x := uint64(n) << 16 / uint64(d) // 16 bits behind the point
	whole := bits.Len64(x) - 17
	x >>= whole
	for range 4 {
		x, whole = x*x>>16, whole<<1
		if x >= 2<<16 {
			x, whole = x>>1, whole|1
		}
	}
	return whole
}

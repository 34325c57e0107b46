package writer

import (
	"math/bits"
	"slices"
)

// importance returns the importance of each sentence: the weights of the terms that it shares with other sentences (centrality by shared
// words), scaled by its length. Sentences that need their context count 3/5, and questions half. Sentences with terms of the focus count
// up to four times as much.
func (a *author) importance() []int {
	t := a.corpus
	worth := make([]int, len(t.sentences))
	near := a.relevance()
	for i, r := range t.sentences {
		sum := 0
		for _, id := range r.terms {
			sum += t.weights[id] * (1 + 2*min(max(t.uses[id]-1, 0), 8))
		}
		w := 1000 * sum / (len(r.terms) + 6) * readability(r.length) / 100
		if r.question {
			w /= 2
		}
		if r.dependent {
			w = w * 3 / 5
		}
		worth[i] = w * (1000 + 3*near[i]) / 1000
	}
	return worth
}

// readability returns how easy a sentence with this many words is to read, in percent.
func readability(words int) int {
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

// relevance returns the share of the focus, by weight, that each sentence contains, in thousandths.
func (a *author) relevance() []int {
	near := make([]int, len(a.corpus.sentences))
	all := 0
	for _, id := range a.focus {
		all += a.corpus.weights[id]
	}
	if all == 0 {
		return near
	}
	for i, r := range a.corpus.sentences {
		sum := 0
		for _, id := range a.focus {
			if _, ok := slices.BinarySearch(r.terms, id); ok {
				sum += a.corpus.weights[id]
			}
		}
		near[i] = 1000 * sum / all
	}
	return near
}

// pick returns at most n sentences, best first, by maximal marginal relevance: the score of each is reduced by its similarity to those
// already picked. A sentence with score 0 is never picked.
func (t *corpus) pick(score []int, n int) (picked []int) {
	common := make([]int, len(t.sentences)) // similarity to the most similar picked sentence, in thousandths
	for len(picked) < n {
		best, most := -1, 0
		for i := range t.sentences {
			if s := score[i] * (1000 - common[i]); s > most {
				best, most = i, s
			}
		}
		if best < 0 {
			break
		}
		picked = append(picked, best)
		for i := range t.sentences {
			common[i] = max(common[i], t.similarity(i, best))
		}
	}
	return picked
}

// similarity returns the similarity of two sentences in thousandths: the share of common terms, and at least 500 within the same utterance.
func (t *corpus) similarity(i, j int) int {
	a, b := t.sentences[i], t.sentences[j]
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
	if a.utterance == b.utterance {
		like = max(like, 500)
	}
	return min(like, 1000)
}

// best returns the n most important sentences, in their order.
func (a *author) best(n int) []int {
	picked := a.corpus.pick(a.importance(), n)
	if len(picked) == 0 && len(a.corpus.sentences) > 0 {
		picked = []int{0} // all sentences have only stop words
	}
	slices.Sort(picked)
	return picked
}

// log2 returns 16·log₂(n/d) for n ≥ d ≥ 1, rounded down. It uses integers, so that the result is the same on every machine.
func log2(n, d int) int {
	x := uint64(n) << 16 / uint64(d) // fixed point with 16 fractional bits
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

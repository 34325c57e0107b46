package search

import "math"

// BM25 says how well a text matches a question by the terms that they share: a term counts the more the fewer texts have it,
// and the less the more often the text has it already; long texts need more of it. Source: S. Robertson, H. Zaragoza,
// The Probabilistic Relevance Framework: BM25 and Beyond, 2009, section 3.4.5, with the parameters that are usual.
const (
	bm25K = 1.2
	bm25B = 0.75
)

// rarity is the weight of a term that has of all texts have: ln(1 + (all − has + ½) / (has + ½)), never negative.
func rarity(all, has int) float64 {
	return math.Log1p((float64(all-has) + 0.5) / (float64(has) + 0.5))
}

// relevance is what a term adds that occurs often times in a text of length terms; mean is the length of all texts on average.
func relevance(rarity float64, often, length int, mean float64) float64 {
	f := float64(often)
	return rarity * f * (bm25K + 1) / (f + bm25K*(1-bm25B+bm25B*float64(length)/max(mean, 1)))
}

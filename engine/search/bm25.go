package search

import "math"

// BM25 scores how well a text matches a question by their common terms. Rare terms count more, repeated terms count less each
// time, and long texts need more matches. Source: S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and
// Beyond, 2009, section 3.4.5, with the usual parameters.
const (
	bm25K = 1.2
	bm25B = 0.75
)

// rarity returns the weight of a term that occurs in has of all texts: ln(1 + (all − has + ½) / (has + ½)), never negative.
func rarity(all, has int) float64 {
	return math.Log1p((float64(all-has) + 0.5) / (float64(has) + 0.5))
}

// relevance returns the score of a term that occurs often times in a text of length terms; mean is the average length of all
// texts.
func relevance(rarity float64, often, length int, mean float64) float64 {
	f := float64(often)
	return rarity * f * (bm25K + 1) / (f + bm25K*(1-bm25B+bm25B*float64(length)/max(mean, 1)))
}

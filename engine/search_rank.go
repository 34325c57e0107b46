package engine

import (
	"cmp"
	"slices"
	"strings"
)

// togetherBonus is how much more a document is worth when one of its parts has all units of the query.
const togetherBonus = 0.5

// hit is a document that the index says has every unit of a query.
type hit struct {
	doc   Document
	parts [][]int // for each unit, the parts that have it, ascending; one may come several times
	score float64
}

// findHits returns the documents of a kind that have every unit, the best first.
func findHits(tx ReadTx, kind DocumentKind, spaces []SpaceID, units []queryUnit) ([]hit, error) {
	found := make([][]Posting, len(units))
	for i, u := range units {
		var err error
		if found[i], err = unitPostings(tx, PostingQuery{Spaces: spaces, Kind: kind}, u); err != nil || len(found[i]) == 0 {
			return nil, err
		}
	}
	hits := scoreHits(found)
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(b.doc.age(), a.doc.age()), cmp.Compare(a.doc.ID, b.doc.ID))
	})
	return hits, nil
}

// unitPostings returns where a unit occurs: for a run of ideographs, the parts that have all of its pairs, as often as the run
// can be in them.
func unitPostings(tx ReadTx, q PostingQuery, u queryUnit) ([]Posting, error) {
	q.Term = u.terms[0]
	postings, err := tx.Postings(q)
	wanted := map[string]int{}
	for _, term := range u.terms {
		wanted[term]++
	}
	for i, term := range u.terms {
		if err != nil || len(postings) == 0 {
			return nil, err
		}
		if i == 0 && wanted[term] == 1 || slices.Contains(u.terms[:i], term) {
			continue // known already
		}
		q.Term = term
		var more []Posting
		if more, err = tx.Postings(q); err == nil {
			postings = withPair(postings, more, wanted[term])
		}
	}
	return postings, err
}

// withPair keeps the parts of postings that have a pair at least times times.
func withPair(postings, pair []Posting, times int) []Posting {
	parts := make(map[DocumentID][]int, len(pair))
	for _, p := range pair {
		parts[p.Document.ID] = p.Parts
	}
	kept := postings[:0]
	for _, p := range postings {
		have := parts[p.Document.ID]
		p.Parts = slices.DeleteFunc(p.Parts, func(part int) bool {
			i, ok := slices.BinarySearch(have, part)
			return !ok || i+times > len(have) || have[i+times-1] != part
		})
		if len(p.Parts) > 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// scoreHits returns the documents that are in every list, with their scores: BM25 of each unit among the documents that have any
// of them, and more when they stand together.
func scoreHits(found [][]Posting) []hit {
	number := map[DocumentID]int{}
	var all []hit
	total := 0
	for i, postings := range found {
		for _, p := range postings {
			n, ok := number[p.Document.ID]
			if !ok {
				n = len(all)
				number[p.Document.ID] = n
				all = append(all, hit{doc: p.Document, parts: make([][]int, 0, len(found))})
				total += p.Document.Length
			}
			if len(all[n].parts) == i { // it has the units before
				all[n].parts = append(all[n].parts, p.Parts)
			}
		}
	}
	mean := float64(total) / float64(max(1, len(all)))
	hits := slices.DeleteFunc(slices.Clone(all), func(h hit) bool { return len(h.parts) < len(found) })
	var counter partCounter
	for i := range hits {
		h := &hits[i]
		for unit, parts := range h.parts {
			h.score += relevance(rarity(len(all), len(found[unit])), len(parts), h.doc.Length, mean)
		}
		if n := len(found); n > 1 {
			h.score *= 1 + togetherBonus*float64(counter.most(h.parts)-1)/float64(n-1)
		}
	}
	return hits
}

// partCounter counts how many units each part of a document has.
type partCounter struct{ counts []int }

// count calls fn for each part, as often as it has another unit, with how many it has by then.
func (c *partCounter) count(parts [][]int, fn func(part, units int)) {
	for _, list := range parts {
		if n := len(list); n > 0 && list[n-1] >= len(c.counts) {
			c.counts = append(c.counts, make([]int, list[n-1]+1-len(c.counts))...)
		}
		for i, part := range list {
			if i == 0 || part != list[i-1] {
				c.counts[part]++
				fn(part, c.counts[part])
			}
		}
	}
	for _, list := range parts {
		for _, part := range list {
			c.counts[part] = 0
		}
	}
}

// most returns how many units the part has that has most of them.
func (c *partCounter) most(parts [][]int) (most int) {
	c.count(parts, func(_, units int) { most = max(most, units) })
	return most
}

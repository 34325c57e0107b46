package search

import (
	"cmp"
	"container/heap"
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

// hits are the documents that have every unit, as a heap: most of them are never looked at.
type hits struct {
	found [][]Posting // of each unit, in order of their documents' ids
	rows  []int       // where in found each document is: as many numbers as there are units
	heap  []ranked
}

// ranked is a document among rows.
type ranked struct {
	score float64
	row   int
}

// findHits returns the documents of a kind that have every unit.
func findHits(tx Index, kind DocumentKind, spaces []string, units []queryUnit) (*hits, error) {
	h := &hits{found: make([][]Posting, len(units))}
	for i, u := range units {
		var err error
		if h.found[i], err = unitPostings(tx, PostingQuery{Spaces: spaces, Kind: kind}, u); err != nil || len(h.found[i]) == 0 {
			return &hits{}, err
		}
	}
	h.score()
	return h, nil
}

// next takes the best hit that is left: of the highest score, then the newest, then by id.
func (h *hits) next() (hit, bool) {
	if len(h.heap) == 0 {
		return hit{}, false
	}
	best := heap.Pop(h).(ranked)
	return hit{h.document(best.row), h.parts(best.row, nil), best.score}, true
}

func (h *hits) document(row int) Document { return h.found[0][h.rows[row]].Document }

// parts appends the parts that have each unit in a document.
func (h *hits) parts(row int, to [][]int) [][]int {
	for i, postings := range h.found {
		to = append(to, postings[h.rows[row+i]].Parts)
	}
	return to
}

// Len, Less, Swap, Push and Pop are for container/heap.
func (h *hits) Len() int { return len(h.heap) }

func (h *hits) Less(i, j int) bool {
	a, b := h.heap[i], h.heap[j]
	if a.score != b.score {
		return a.score > b.score
	}
	left, right := h.document(a.row), h.document(b.row)
	return cmp.Or(strings.Compare(right.age(), left.age()), cmp.Compare(left.ID, right.ID)) < 0
}

func (h *hits) Swap(i, j int) { h.heap[i], h.heap[j] = h.heap[j], h.heap[i] }

func (h *hits) Push(x any) { h.heap = append(h.heap, x.(ranked)) }

func (h *hits) Pop() any {
	last := h.heap[len(h.heap)-1]
	h.heap = h.heap[:len(h.heap)-1]
	return last
}

// unitPostings returns where a unit occurs: for a run of ideographs, the parts that have all of its pairs, as often as the run
// can be in them.
func unitPostings(tx Index, q PostingQuery, u queryUnit) ([]Posting, error) {
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

// score finds the documents that are in every list and scores them: BM25 of each unit among the documents that have any of them, and
// more when they stand together.
func (h *hits) score() {
	units := len(h.found)
	all, length := h.join()
	mean := float64(length) / float64(max(1, all))
	rare := make([]float64, units)
	for i, postings := range h.found {
		rare[i] = rarity(all, len(postings))
	}
	h.heap = make([]ranked, 0, len(h.rows)/units)
	parts := make([][]int, 0, units)
	var counter partCounter
	for row := 0; row < len(h.rows); row += units {
		score := 0.0
		length := h.found[0][h.rows[row]].Document.Length
		parts = h.parts(row, parts[:0])
		for i, in := range parts {
			score += relevance(rare[i], len(in), length, mean)
		}
		if units > 1 {
			score *= 1 + togetherBonus*float64(counter.most(parts)-1)/float64(units-1)
		}
		h.heap = append(h.heap, ranked{score, row})
	}
	heap.Init(h)
}

// join fills rows, and returns how many documents are in any list, with the sum of their lengths.
func (h *hits) join() (all, length int) {
	at := make([]int, len(h.found))
	for {
		var least *Document
		for i, postings := range h.found {
			if at[i] == len(postings) {
				continue
			}
			if d := &postings[at[i]].Document; least == nil || d.ID < least.ID {
				least = d
			}
		}
		if least == nil {
			return all, length
		}
		all++
		length += least.Length
		row := len(h.rows)
		for i, postings := range h.found {
			if at[i] < len(postings) && postings[at[i]].Document.ID == least.ID {
				h.rows = append(h.rows, at[i])
				at[i]++
			}
		}
		if len(h.rows)-row < len(h.found) {
			h.rows = h.rows[:row]
		}
	}
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

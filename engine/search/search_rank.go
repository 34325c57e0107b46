package search

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
)

// MaxDocuments limits how many documents with a term are read. Of a term that more documents have, the newest are ranked. With another term
// that is rarer, the documents with that one are. So the time of a search doesn't grow with the number of documents.
const MaxDocuments = 1000

// togetherBonus is the extra score of a document that has all units of the query in one part.
const togetherBonus = 0.5

// hit is a document that has every unit of a query according to the index.
type hit struct {
	doc   Document
	parts [][]int // for each unit, the ascending parts with it; a part may repeat
	score float64
}

// hits are the documents with every unit, as a heap, because most are never read.
type hits struct {
	found [][]Posting // per unit, by document id
	has   []int       // per unit, the number of documents with it, as far as is known; at least the length of its list
	rows  []int       // positions of each document in found: one number per unit
	heap  []ranked
}

// ranked is a document among rows.
type ranked struct {
	score float64
	row   int
}

// findHits returns the documents of a kind with every unit.
func findHits(tx Index, kind DocumentKind, spaces []string, units []queryUnit) (*hits, error) {
	lists, cut, err := readTerms(tx, PostingQuery{Spaces: spaces, Kind: kind}, units)
	if err != nil || lists == nil {
		return &hits{}, err
	}
	h := &hits{found: make([][]Posting, len(units)), has: make([]int, len(units))}
	for i, u := range units {
		if h.found[i] = unitPostings(lists, u); len(h.found[i]) == 0 {
			return &hits{}, nil
		}
		if h.has[i] = len(h.found[i]); !slices.ContainsFunc(u.terms, func(term string) bool { return !cut[term] }) {
			h.has[i] = MaxDocuments
		}
	}
	h.score()
	return h, nil
}

// readTerms returns the postings of each term of the units, or nil if a term has none. Of a term with more than MaxDocuments documents, it
// reads the newest, or those that have the term with the fewest documents; cut has these terms.
func readTerms(tx Index, q PostingQuery, units []queryUnit) (lists map[string][]Posting, cut map[string]bool, err error) {
	lists, cut = map[string][]Posting{}, map[string]bool{}
	rarest := units[0].terms[0]
	q.Limit = MaxDocuments
	for _, u := range units {
		for _, term := range u.terms {
			if lists[term] != nil {
				continue
			}
			q.Term = term
			if lists[term], err = tx.Postings(q); err != nil || len(lists[term]) == 0 {
				return nil, nil, err
			}
			cut[term] = len(lists[term]) == MaxDocuments
			if len(lists[term]) < len(lists[rarest]) {
				rarest = term
			}
		}
	}
	q.Limit = 0
	for _, p := range lists[rarest] {
		q.Documents = append(q.Documents, p.Document.ID)
	}
	for term := range lists {
		if cut[term] && term != rarest {
			q.Term = term
			if lists[term], err = tx.Postings(q); err != nil || len(lists[term]) == 0 {
				return nil, nil, err
			}
		}
	}
	return lists, cut, nil
}

// next removes and returns the best remaining hit: highest score, then newest, then by id.
func (h *hits) next() (hit, bool) {
	if len(h.heap) == 0 {
		return hit{}, false
	}
	best := heap.Pop(h).(ranked)
	return hit{h.document(best.row), h.parts(best.row, nil), best.score}, true
}

func (h *hits) document(row int) Document { return h.found[0][h.rows[row]].Document }

// parts appends the parts with each unit of a document.
func (h *hits) parts(row int, to [][]int) [][]int {
	for i, postings := range h.found {
		to = append(to, postings[h.rows[row+i]].Parts)
	}
	return to
}

// Len, Less, Swap, Push, and Pop implement heap.Interface.
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

// unitPostings returns the occurrences of a unit. For a run of ideographs, these are the parts with all its pairs, as often as
// the run may occur in them.
func unitPostings(lists map[string][]Posting, u queryUnit) []Posting {
	wanted := map[string]int{}
	for _, term := range u.terms {
		wanted[term]++
	}
	first := u.terms[0]
	if len(u.terms) == 1 {
		return lists[first]
	}
	postings := make([]Posting, len(lists[first])) // another unit may have the term, too
	for i, p := range lists[first] {
		postings[i] = Posting{p.Document, slices.Clone(p.Parts)}
	}
	for i, term := range u.terms {
		if i == 0 && wanted[term] == 1 || slices.Contains(u.terms[:i], term) {
			continue // already counted
		}
		postings = withPair(postings, lists[term], wanted[term])
	}
	return postings
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

// score finds the documents in every list and scores them: BM25 of each unit among the documents with any of them, and a bonus
// when the units are in one part.
func (h *hits) score() {
	units := len(h.found)
	all, length := h.join()
	mean := float64(length) / float64(max(1, all))
	rare := make([]float64, units)
	for i, has := range h.has {
		rare[i] = rarity(max(all, slices.Max(h.has)), has)
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

// join fills rows. It returns how many documents are in any list, and the sum of their lengths.
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

// partCounter counts the distinct units of each part of a document.
type partCounter struct{ counts []int }

// count calls fn for each part whenever another unit is found in it, with the part's count so far.
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

// most returns the largest number of distinct units in one part.
func (c *partCounter) most(parts [][]int) (most int) {
	c.count(parts, func(_, units int) { most = max(most, units) })
	return most
}

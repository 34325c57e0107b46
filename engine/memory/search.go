package memory

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/search"
)

// documentRow is a document with its postings. The store never returns it.
type documentRow struct {
	search.Document
	postings []posting // by term
}

// posting holds the parts of a document that have a term.
type posting struct {
	term     string
	document *documentRow
	parts    []int
}

// Postings reads every document of the kind with the term, in any space. All part numbers share one allocation, because a
// common term has thousands of documents.
func (tx *readTx) Postings(q search.PostingQuery) ([]search.Posting, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	var rows []*posting
	tx.documentsByTerm.scan(tx, q.Kind, q.Term, func(p *posting) {
		if slices.Contains(q.Spaces, p.document.SpaceID) && q.Wants(p.document.ID) {
			rows = append(rows, p)
		}
	})
	if q.Limit > 0 {
		rows = rows[max(0, len(rows)-q.Limit):]
	}
	size := 0
	for _, p := range rows {
		size += len(p.parts)
	}
	found, numbers := make([]search.Posting, len(rows)), make([]int, 0, size)
	for i, p := range rows {
		from := len(numbers)
		numbers = append(numbers, p.parts...)
		found[i] = search.Posting{Document: p.document.Document, Parts: slices.Clip(numbers[from:])}
	}
	return found, nil
}

func (tx *writeTx) PutDocument(d search.Document, parts map[string][]int) error {
	if err := tx.checkOpen(); err != nil {
		return err
	}
	tx.documents.set(tx, d.ID, newDocument(d, parts))
	return nil
}

func (tx *writeTx) PatchDocument(d search.Document, parts map[string][]int) error {
	if err := tx.checkOpen(); err != nil {
		return err
	}
	all := maps.Clone(parts)
	if old := tx.documents.find(&tx.readTx, d.ID); old != nil {
		for _, p := range old.postings {
			if _, patched := parts[p.term]; !patched {
				all[p.term] = p.parts
			}
		}
	}
	tx.documents.set(tx, d.ID, newDocument(d, all))
	return nil
}

// newDocument keeps all part numbers in one allocation, because a document has about a thousand terms. It ignores terms
// without parts.
func newDocument(d search.Document, parts map[string][]int) *documentRow {
	size := 0
	for _, numbers := range parts {
		size += len(numbers)
	}
	all, row := make([]int, 0, size), &documentRow{Document: d, postings: make([]posting, 0, len(parts))}
	for term, numbers := range parts {
		if from := len(all); len(numbers) > 0 {
			all = append(all, numbers...)
			row.postings = append(row.postings, posting{term, row, slices.Clip(all[from:])})
		}
	}
	slices.SortFunc(row.postings, func(a, b posting) int { return strings.Compare(a.term, b.term) })
	return row
}

// terms is an index of the documents of a kind with a term, by id. Its keys are hashes of kind and term, which compare faster
// than terms among a million postings. Terms with equal hashes are adjacent.
type terms struct {
	entries slot[hashed]
}

// hashed is a posting with the hash of its document's kind and its term. Without a posting it is a pivot: it sorts before all
// entries with its hash.
type hashed struct {
	hash uint64
	*posting
}

// seed is shared by all stores, because stores share trees with their forks.
var seed = maphash.MakeSeed()

func hashOf(kind search.DocumentKind, term string) uint64 {
	return maphash.String(seed, string(kind)) ^ maphash.String(seed, term)
}

func newTerms(places *int) *terms {
	return &terms{newSlot(places, func(a, b hashed) bool {
		return a.hash < b.hash || a.hash == b.hash && compareHashed(a, b) < 0
	})}
}

func compareHashed(a, b hashed) int {
	switch {
	case a.hash != b.hash:
		return cmp.Compare(a.hash, b.hash)
	case a.posting == b.posting:
		return 0
	case a.posting == nil:
		return -1
	case b.posting == nil:
		return 1
	case a.document.ID != b.document.ID:
		return strings.Compare(string(a.document.ID), string(b.document.ID))
	}
	return strings.Compare(a.term, b.term)
}

// scan calls fn with the postings of a term in documents of a kind, sorted by document.
func (x *terms) scan(tx *readTx, kind search.DocumentKind, term string, fn func(*posting)) {
	hash := hashOf(kind, term)
	x.entries.in(tx.current).Ascend(hashed{hash: hash}, func(h hashed) bool {
		if h.hash == hash && h.term == term && h.document.Kind == kind {
			fn(h.posting)
		}
		return h.hash == hash
	})
}

// replace visits the tree in its order, so that a node is still cached when the next entry needs it.
func (x *terms) replace(tx *writeTx, old, now *documentRow) {
	entries := x.entries.writable(tx)
	for _, h := range hashes(old) {
		if now == nil || now.Kind != old.Kind || !now.has(h.term) {
			entries.Delete(h)
		}
	}
	for _, h := range hashes(now) {
		entries.Set(h)
	}
}

func (d *documentRow) has(term string) bool {
	_, ok := slices.BinarySearchFunc(d.postings, term, func(p posting, term string) int { return strings.Compare(p.term, term) })
	return ok
}

// hashes returns the entries of a document in the order of the tree; nil for a nil document.
func hashes(d *documentRow) []hashed {
	if d == nil {
		return nil
	}
	all, kind := make([]hashed, len(d.postings)), maphash.String(seed, string(d.Kind))
	for i := range d.postings {
		all[i] = hashed{kind ^ maphash.String(seed, d.postings[i].term), &d.postings[i]}
	}
	slices.SortFunc(all, compareHashed)
	return all
}

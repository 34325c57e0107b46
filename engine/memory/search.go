package memory

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// documentRow is a document and, for each of its terms, the parts that have it.
type documentRow struct {
	engine.Document
	parts map[string][]int
}

// Postings looks at every document that has the term, whatever its space and kind.
func (tx *readTx) Postings(q engine.PostingQuery) ([]engine.Posting, error) {
	if err := tx.alive(); err != nil {
		return nil, err
	}
	found := []engine.Posting{}
	for _, d := range tx.documentsByTerm.documents[q.Term] {
		if d.Kind == q.Kind && slices.Contains(q.Spaces, d.SpaceID) {
			found = append(found, engine.Posting{Document: d.Document, Parts: slices.Clone(d.parts[q.Term])})
		}
	}
	return found, nil
}

func (tx *writeTx) PutDocument(d engine.Document, parts map[string][]int) error {
	return put(tx, tx.documents, d.ID, documentRow{d, parts})
}

// cloneDocument keeps the numbers of all parts in one allocation: there are a thousand terms to a document. A term that no
// part has is no term of it.
func cloneDocument(d documentRow) documentRow {
	size := 0
	for _, numbers := range d.parts {
		size += len(numbers)
	}
	all, parts := make([]int, 0, size), make(map[string][]int, len(d.parts))
	for term, numbers := range d.parts {
		if from := len(all); len(numbers) > 0 {
			all = append(all, numbers...)
			parts[term] = slices.Clip(all[from:])
		}
	}
	d.parts = parts
	return d
}

// terms is an index: the documents that have a term, by id. Finding the place of a document costs more than making room
// for it, even among 100,000, so the lists are kept in order.
type terms struct {
	documents map[string][]*documentRow
}

func (x *terms) replace(old, now *documentRow) {
	if old != nil {
		for term := range old.parts {
			x.remove(term, old)
		}
	}
	if now != nil {
		for term := range now.parts {
			i, _ := slices.BinarySearchFunc(x.documents[term], now, byDocumentID)
			x.documents[term] = slices.Insert(x.documents[term], i, now)
		}
	}
}

func (x *terms) remove(term string, d *documentRow) {
	list := x.documents[term]
	if i, _ := slices.BinarySearchFunc(list, d, byDocumentID); len(list) > 1 {
		x.documents[term] = slices.Delete(list, i, i+1)
	} else {
		delete(x.documents, term)
	}
}

func byDocumentID(a, b *documentRow) int { return strings.Compare(string(a.ID), string(b.ID)) }

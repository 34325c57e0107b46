package memory

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// documentRow is a document with its terms.
type documentRow struct {
	engine.Document
	parts map[string][]int
}

// occurrence is one term of one document.
type occurrence struct {
	document engine.DocumentID
	term     string
}

// Postings looks at every document that has the term, whatever its space and kind.
func (tx *readTx) Postings(q engine.PostingQuery) ([]engine.Posting, error) {
	if err := tx.alive(); err != nil {
		return nil, err
	}
	var found []engine.Posting
	for _, p := range tx.postingsByTerm.groups[q.Term] {
		d := tx.documents.rows[p.Document.ID].Document
		if d.Kind == q.Kind && slices.Contains(q.Spaces, d.SpaceID) {
			found = append(found, engine.Posting{Document: d, Parts: slices.Clone(p.Parts)})
		}
	}
	return found, nil
}

func (tx *writeTx) PutDocument(d engine.Document, parts map[string][]int) error {
	if err := tx.alive(); err != nil {
		return err
	}
	if old, ok := tx.documents.rows[d.ID]; ok {
		for term := range old.parts {
			if err := remove(tx, tx.postings, occurrence{d.ID, term}); err != nil {
				return err
			}
		}
	}
	for term, numbers := range parts {
		p := termPosting{term: term, Posting: engine.Posting{Document: engine.Document{ID: d.ID}, Parts: numbers}}
		if err := put(tx, tx.postings, occurrence{d.ID, term}, p); err != nil {
			return err
		}
	}
	return put(tx, tx.documents, d.ID, documentRow{d, parts})
}

// termPosting is a posting and its term.
type termPosting struct {
	engine.Posting
	term string
}

func postingTerm(p *termPosting) string { return p.term }

func byDocument(a, b *termPosting) int {
	return strings.Compare(string(a.Document.ID), string(b.Document.ID))
}

func clonePosting(p termPosting) termPosting {
	p.Parts = slices.Clone(p.Parts)
	return p
}

func cloneDocument(d documentRow) documentRow {
	terms := make(map[string][]int, len(d.parts))
	for term := range d.parts {
		terms[term] = nil
	}
	d.parts = terms
	return d
}

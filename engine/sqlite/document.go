package sqlite

import (
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/search"
)

var documents = newTable(rows.Documents)

const (
	putPosting     = "INSERT INTO postings (term, kind, document, parts, parts_sum) VALUES (?, ?, ?, ?, ?)"
	replacePosting = putPosting + " ON CONFLICT (term, kind, document) DO UPDATE SET parts = excluded.parts, parts_sum = excluded.parts_sum"
	deletePosting  = "DELETE FROM postings WHERE term = ? AND kind = ? AND document = ?"
	deletePostings = "DELETE FROM postings WHERE document = ?"
)

var putDocument = documents.put + " RETURNING key"

// PatchDocument writes the terms in sorted order, like PutDocument.
func (t *tx) PatchDocument(d search.Document, parts map[string][]int) error {
	kind, key, err := t.putDocumentRow(d)
	if err != nil {
		return err
	}
	for _, term := range slices.Sorted(maps.Keys(parts)) {
		if len(parts[term]) == 0 {
			err = t.exec(deletePosting, term, kind, key)
		} else {
			err = t.putPosting(replacePosting, term, kind, key, parts[term])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// putDocumentRow writes a document without its postings and returns what identifies them.
func (t *tx) putDocumentRow(d search.Document) (kind, key int64, err error) {
	kind, known := rows.KindNumbers[d.Kind]
	if !known {
		return 0, 0, t.fail(fmt.Errorf("unknown document kind %q", d.Kind))
	}
	values, err := documents.values(&d)
	if err != nil {
		return 0, 0, t.fail(err)
	}
	return kind, key, t.query(func(r *row) { key = r.Int64() }, putDocument, values...)
}

func (t *tx) putPosting(statement, term string, kind, key int64, parts []int) error {
	values := []driver.Value{term, kind, key, rows.EncodeParts(parts)}
	return t.exec(statement, append(values, sumOf(values))...)
}

// PutDocument writes the terms in sorted order, which matches the order of the table's pages.
func (t *tx) PutDocument(d search.Document, parts map[string][]int) error {
	kind, key, err := t.putDocumentRow(d)
	if err != nil {
		return err
	}
	if err := t.exec(deletePostings, key); err != nil {
		return err
	}
	for _, term := range slices.Sorted(maps.Keys(parts)) {
		if len(parts[term]) == 0 {
			continue
		}
		if err := t.putPosting(putPosting, term, kind, key, parts[term]); err != nil {
			return err
		}
	}
	return nil
}

package postgres

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/search"
)

var documents = newTable(rows.Documents)

// A term is stored as bytes, because it need not be UTF-8; a long one as its hash, because an index has short keys. A posting names its document by a number, which is shorter than the id. PutDocument writes all terms of a document with one statement:
// a long transcript has thousands.
const (
	putPostings = `INSERT INTO postings (term, kind, document, parts) SELECT term, $2, $3, parts FROM unnest($1::bytea[], $4::bytea[]) AS p (term, parts)
	ON CONFLICT (term, kind, document) DO UPDATE SET parts = excluded.parts`
	deleteTerms    = "DELETE FROM postings WHERE term = ANY($1::bytea[]) AND kind = $2 AND document = $3"
	deletePostings = "DELETE FROM postings WHERE document = $1"
)

var putDocument = documents.put + " RETURNING key"

// PutDocument implements engine.Tx.
func (t *tx) PutDocument(d search.Document, parts map[string][]int) error {
	kind, key, err := t.putDocumentRow(d)
	if err != nil {
		return err
	}
	if err := t.exec(deletePostings, key); err != nil {
		return err
	}
	return t.putPostings(kind, key, parts)
}

// PatchDocument implements engine.Tx.
func (t *tx) PatchDocument(d search.Document, parts map[string][]int) error {
	kind, key, err := t.putDocumentRow(d)
	if err != nil {
		return err
	}
	var gone [][]byte
	for term, list := range parts {
		if len(list) == 0 {
			gone = append(gone, termKey(term))
		}
	}
	if len(gone) > 0 {
		if err := t.exec(deleteTerms, gone, kind, key); err != nil {
			return err
		}
	}
	return t.putPostings(kind, key, parts)
}

// putPostings writes the terms in sorted order, which matches the order of the table's pages, and takes locks in the same order everywhere.
func (t *tx) putPostings(kind, key int64, parts map[string][]int) error {
	terms, encoded := [][]byte{}, [][]byte{}
	for _, term := range slices.Sorted(maps.Keys(parts)) {
		if len(parts[term]) > 0 {
			terms, encoded = append(terms, termKey(term)), append(encoded, rows.EncodeParts(parts[term]))
		}
	}
	if len(terms) == 0 {
		return nil
	}
	return t.exec(putPostings, terms, kind, key, encoded)
}

// putDocumentRow writes a document without its postings and returns what identifies them.
func (t *tx) putDocumentRow(d search.Document) (kind, key int64, err error) {
	kind, known := rows.KindNumbers[d.Kind]
	if !known {
		t.fail(&engine.Error{Code: engine.CodeInternal, Err: fmt.Errorf("postgres: unknown document kind %q", d.Kind)})
		return 0, 0, t.failed
	}
	args, err := documents.values(&d)
	if err != nil {
		return 0, 0, err
	}
	t.wrote = true
	return kind, key, t.query(func(r *rows.Row) { key = r.Int64() }, putDocument, args...)
}

var postingsOfTerm = "SELECT " + documents.qualified("documents") + `, parts FROM postings JOIN documents ON key = document
	WHERE term = $1 AND kind = $2 AND space_id = ANY($3::text[]) ORDER BY documents.id`

func (t *readTx) Postings(q search.PostingQuery) ([]search.Posting, error) {
	scan := func(r *rows.Row) (p search.Posting) {
		documents.rows.Scan(r, &p.Document)
		parts, err := rows.DecodeParts(r.Bytes())
		if err != nil {
			r.Fail(err)
		}
		p.Document.Kind, p.Parts = q.Kind, parts
		return p
	}
	return each(t, scan, postingsOfTerm, termKey(q.Term), rows.KindNumbers[q.Kind], append([]string{}, q.Spaces...))
}

// maxTerm is the length in bytes of the longest term that is stored as it is.
const maxTerm = 512

// termKey returns a term as it is stored. Two bytes that don't occur in UTF-8 mark a hash.
func termKey(term string) []byte {
	mark := "\xff\xff"
	if len(term) <= maxTerm && !strings.HasPrefix(term, mark) {
		return []byte(term)
	}
	sum := sha256.Sum256([]byte(term))
	return append([]byte(mark), sum[:]...)
}

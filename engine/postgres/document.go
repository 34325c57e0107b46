package postgres

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
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

// maxScanned is how many postings of a term are read in all spaces. A term with more is looked up in the documents of the spaces, newest
// first. So the time doesn't grow with what other spaces have.
const maxScanned = 10_000

// isCommon reports whether a term has more than $3 postings.
const isCommon = "SELECT count(*) > $3 FROM (SELECT FROM postings WHERE term = $1 AND kind = $2 LIMIT $3::bigint + 1) AS p"

// The statements read postings in the order of documents' ids, newest first. OFFSET 0 keeps the planner from other ways to read, which take
// time in proportion to the table: it knows little about terms.
var (
	postingsOfTerm = "SELECT " + documents.qualified("d") + `, parts FROM postings CROSS JOIN LATERAL (SELECT * FROM documents WHERE key = document OFFSET 0) AS d
	WHERE term = $1 AND kind = $2 AND space_id = ANY($3::text[]) ORDER BY d.id DESC LIMIT $4`
	postingsOfDocuments = "SELECT " + documents.qualified("d") + `, parts FROM unnest($5::text[]) AS wanted
		CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = wanted AND space_id = ANY($3::text[]) OFFSET 0) AS d
		CROSS JOIN LATERAL (SELECT parts FROM postings WHERE term = $1 AND kind = $2 AND document = d.key OFFSET 0) AS p
	ORDER BY d.id DESC LIMIT $4`
	newestPostings = "SELECT " + documents.qualified("d") + `, parts FROM unnest($3::text[]) AS space CROSS JOIN LATERAL (
		SELECT documents.*, parts FROM documents CROSS JOIN LATERAL (
			SELECT parts FROM postings WHERE term = $1 AND kind = $2 AND document = documents.key OFFSET 0) AS p
		WHERE space_id = space ORDER BY space_id DESC, id DESC LIMIT $4) AS d
	ORDER BY d.id DESC LIMIT $4`
)

func (t *readTx) Postings(q search.PostingQuery) ([]search.Posting, error) {
	spaces := slices.Compact(slices.Sorted(slices.Values(q.Spaces)))
	args := []any{termKey(q.Term), rows.KindNumbers[q.Kind], append([]string{}, spaces...), int64(math.MaxInt64)}
	if q.Limit > 0 {
		args[3] = int64(q.Limit)
	}
	sql := postingsOfTerm
	switch {
	case q.Documents != nil:
		sql, args = postingsOfDocuments, append(args, q.Documents)
	case q.Limit > 0:
		common := false
		if err := t.query(func(r *rows.Row) { common = r.Bool() }, isCommon, args[0], args[1], int64(maxScanned)); err != nil {
			return nil, err
		}
		if common {
			sql = newestPostings
		}
	}
	found, err := each(t, func(r *rows.Row) search.Posting { return scanPosting(r, q.Kind) }, sql, args...)
	slices.Reverse(found)
	return found, err
}

func scanPosting(r *rows.Row, kind search.DocumentKind) (p search.Posting) {
	documents.rows.Scan(r, &p.Document)
	parts, err := rows.DecodeParts(r.Bytes())
	if err != nil {
		r.Fail(err)
	}
	p.Document.Kind, p.Parts = kind, parts
	return p
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

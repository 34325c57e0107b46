package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/search"
)

// postings is the table of postings, which has no struct of its own.
var postings = summed{"postings", []string{"term", "kind", "document", "parts"}, []string{"term", "kind", "document"}, partsSumColumn}

// postingsOfTerm reads the postings of a term and kind, which are adjacent, and joins their documents. The caller sorts by
// document id, which is faster in Go.
var postingsOfTerm = "SELECT " + documents.columns + `, document, parts, parts_sum FROM postings CROSS JOIN documents ON key = document
	WHERE term = ? AND kind = ? AND space_id IN (SELECT value FROM json_each(?))`

func (t *readTx) Postings(q search.PostingQuery) ([]search.Posting, error) {
	spaces, err := json.Marshal(append([]string{}, q.Spaces...))
	if err != nil {
		return nil, t.fail(err)
	}
	covered := []driver.Value{q.Term, kindNumbers[q.Kind], nil, nil} // by the checksum; term and kind are those of the query
	scan := func(r *row) (p search.Posting) {
		if documents.scan(r, &p.Document); r.err != nil {
			return p
		}
		covered[2], covered[3] = r.values[r.next], r.values[r.next+1]
		if r.values[r.next+2] != driver.Value(r.summer.sum(covered)) {
			r.fail(postings.damage(covered))
			return p
		}
		r.next++
		p.Document.Kind, p.Parts = q.Kind, r.parts()
		return p
	}
	found, err := each(t, scan, postingsOfTerm, q.Term, kindNumbers[q.Kind], string(spaces))
	slices.SortFunc(found, func(a, b search.Posting) int { return strings.Compare(string(a.Document.ID), string(b.Document.ID)) })
	return found, err
}

// parts takes a column in the format of encodeParts.
func (r *row) parts() []int {
	parts, err := decodeParts(column[[]byte](r))
	if err != nil {
		r.fail(err)
	}
	return parts
}

// encodeParts encodes the part numbers as varints: the first number, then the difference of each to the previous one.
func encodeParts(parts []int) []byte {
	b, last := make([]byte, 0, len(parts)+8), 0
	for _, part := range parts {
		b = binary.AppendUvarint(b, uint64(part-last))
		last = part
	}
	return b
}

// decodeParts is the inverse of encodeParts. It takes most of the time of a search for a common word, whose differences mostly
// fit into one byte each.
func decodeParts(b []byte) ([]int, error) {
	parts, last := make([]int, 0, len(b)), 0
	for i := 0; i < len(b); {
		v, n := uint64(b[i]), 1
		if v >= 0x80 {
			v, n = binary.Uvarint(b[i:])
		}
		if n <= 0 {
			return nil, errors.New("the stored parts are corrupt")
		}
		i, last = i+n, last+int(v)
		parts = append(parts, last)
	}
	return parts, nil
}

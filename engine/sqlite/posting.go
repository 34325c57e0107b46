package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/internal/rows"
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
	covered := []driver.Value{q.Term, rows.KindNumbers[q.Kind], nil, nil} // by the checksum; term and kind are those of the query
	scan := func(r *row) (p search.Posting) {
		if documents.scan(r, &p.Document); r.Err != nil {
			return p
		}
		covered[2], covered[3] = r.Values[r.Next], r.Values[r.Next+1]
		if r.Values[r.Next+2] != driver.Value(r.summer.sum(covered)) {
			r.Fail(postings.damage(covered))
			return p
		}
		r.Next++
		p.Document.Kind, p.Parts = q.Kind, r.parts()
		return p
	}
	found, err := each(t, scan, postingsOfTerm, q.Term, rows.KindNumbers[q.Kind], string(spaces))
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(p search.Posting) bool { return !q.Wants(p.Document.ID) })
	slices.SortFunc(found, func(a, b search.Posting) int { return strings.Compare(string(a.Document.ID), string(b.Document.ID)) })
	if q.Limit > 0 {
		found = found[max(0, len(found)-q.Limit):]
	}
	return found, nil
}

// parts takes a column in the format of encodeParts.
func (r *row) parts() []int {
	parts, err := rows.DecodeParts(r.Bytes())
	if err != nil {
		r.Fail(err)
	}
	return parts
}

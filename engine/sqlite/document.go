package sqlite

import (
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/search"
)

var documents = newTable("documents", "document", func(c *columns, v *search.Document) {
	key(c, "id", &v.ID)
	text(c, "space_id", &v.SpaceID)
	text(c, "recording_id", &v.RecordingID)
	text(c, "output_id", &v.OutputID)
	number(c, "length", &v.Length)
})

const (
	putPosting     = "INSERT INTO postings (term, kind, document, parts, parts_sum) VALUES (?, ?, ?, ?, ?)"
	deletePostings = "DELETE FROM postings WHERE document = ?"
)

var putDocument = documents.put + " RETURNING key"

// kindNumbers encodes a document's kind in its postings, which are numerous: one for each term of each document.
var kindNumbers = map[search.DocumentKind]int64{search.DocumentTranscript: 1, search.DocumentRecording: 2, search.DocumentContent: 3}

// PutDocument writes the terms in sorted order, which matches the order of the table's pages.
func (t *tx) PutDocument(d search.Document, parts map[string][]int) error {
	kind, known := kindNumbers[d.Kind]
	if !known {
		return t.fail(fmt.Errorf("unknown document kind %q", d.Kind))
	}
	values, err := documents.values(&d)
	if err != nil {
		return t.fail(err)
	}
	var key int64
	if err := t.query(func(r *row) { key = r.int64() }, putDocument, values...); err != nil {
		return err
	}
	if err := t.exec(deletePostings, key); err != nil {
		return err
	}
	for _, term := range slices.Sorted(maps.Keys(parts)) {
		if len(parts[term]) == 0 {
			continue
		}
		values := []driver.Value{term, kind, key, encodeParts(parts[term])}
		if err := t.exec(putPosting, append(values, sumOf(values))...); err != nil {
			return err
		}
	}
	return nil
}

package sqlite

import (
	"fmt"
	"maps"
	"slices"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	documentColumns = "id, space_id, recording_id, output_id, length"
	deletePostings  = "DELETE FROM postings WHERE document = ?"
)

var (
	putDocument = upsert("documents", documentColumns) + " RETURNING key"
	putPosting  = insert("postings", "term, kind, document, parts")
)

// kindNumbers is what postings have for the kind of their document: there is one posting for each term of each document.
var kindNumbers = map[engine.DocumentKind]int64{engine.DocumentTranscript: 1, engine.DocumentRecording: 2, engine.DocumentContent: 3}

// PutDocument writes the terms in order, so that they come to the pages of the table in order.
func (t *tx) PutDocument(d engine.Document, parts map[string][]int) error {
	kind, known := kindNumbers[d.Kind]
	if !known {
		return t.fail(fmt.Errorf("documents can't be of kind %q", d.Kind))
	}
	var key int64
	if err := t.query(func(r *row) { key = r.int64() }, putDocument, string(d.ID), d.SpaceID, d.RecordingID,
		d.OutputID, int64(d.Length)); err != nil {
		return err
	}
	if err := t.exec(deletePostings, key); err != nil {
		return err
	}
	for _, term := range slices.Sorted(maps.Keys(parts)) {
		if len(parts[term]) == 0 {
			continue
		}
		if err := t.exec(putPosting, term, kind, key, encodeParts(parts[term])); err != nil {
			return err
		}
	}
	return nil
}

func scanDocument(r *row, kind engine.DocumentKind) engine.Document {
	return engine.Document{
		ID: engine.DocumentID(r.text()), Kind: kind, SpaceID: r.text(), RecordingID: r.text(),
		OutputID: r.text(), Length: r.int(),
	}
}

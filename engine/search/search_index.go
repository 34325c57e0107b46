package search

import (
	"fmt"
	"slices"
	"strings"
)

type (
	// DocumentID identifies a Document.
	DocumentID string
	// DocumentKind is the kind of a Document's text.
	DocumentKind string
)

const (
	DocumentTranscript DocumentKind = "transcript" // a recording's transcript; a part is an utterance
	DocumentRecording  DocumentKind = "recording"  // a recording's title; it has one part
	DocumentContent    DocumentKind = "content"    // an output; a part is a line of its text
)

// Document is one text in the search index. The text itself is in the row it belongs to; ids are the engine's.
type Document struct {
	ID          DocumentID
	Kind        DocumentKind
	SpaceID     string
	RecordingID string
	OutputID    string // for DocumentContent only
	Length      int    // number of terms, with repetitions
}

// Posting lists the occurrences of a term in a document.
type Posting struct {
	Document Document
	Parts    []int // ascending numbers of the parts with the term, one entry per occurrence
}

// PostingQuery asks for the documents with a term.
type PostingQuery struct {
	Spaces    []string // ids; without ids there are no results
	Kind      DocumentKind
	Term      string
	Documents []DocumentID // only these, in ascending order; nil for all
	Limit     int          // at most this many of the newest documents, which have the greatest ids; 0 for all
}

// Wants reports whether a document is one of Documents.
func (q PostingQuery) Wants(id DocumentID) bool {
	if q.Documents == nil {
		return true
	}
	_, found := slices.BinarySearch(q.Documents, id)
	return found
}

// NewDocumentID returns the id of a row's document. It begins with the row's age, so that ids of newer rows are greater.
func NewDocumentID(kind DocumentKind, micros int64, row string) DocumentID {
	return DocumentID(fmt.Sprintf("%016x/%s/%s", max(0, micros), kind, row))
}

// age returns the part of the document's id that is greater for newer rows.
func (d Document) age() string {
	age, _, _ := strings.Cut(string(d.ID), "/")
	return age
}

// IndexTerms returns, for each term, the ascending numbers of the texts with it, one entry per occurrence, and the number of all
// terms.
func IndexTerms(texts []string) (parts map[string][]int, length int) {
	parts = map[string][]int{}
	for i, text := range texts {
		scanText(text, func(l *lexeme) {
			l.each(func(term []byte) {
				parts[string(term)] = append(parts[string(term)], i)
				length++
			})
		})
	}
	return parts, length
}

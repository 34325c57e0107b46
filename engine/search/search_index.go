package search

import (
	"fmt"
	"strings"
)

type (
	// DocumentID identifies a Document.
	DocumentID string
	// DocumentKind says what a Document is the text of.
	DocumentKind string
)

const (
	DocumentTranscript DocumentKind = "transcript" // what is said in a recording; a part is an utterance
	DocumentRecording  DocumentKind = "recording"  // a recording's title; it has one part
	DocumentContent    DocumentKind = "content"    // an output; a part is a line of its text
)

// Document is what the search index knows of one text. The text itself is in the row that the document is about; its ids are the
// engine's.
type Document struct {
	ID          DocumentID
	Kind        DocumentKind
	SpaceID     string
	RecordingID string
	OutputID    string // of DocumentContent only
	Length      int    // terms, counted as often as they occur
}

// Posting says where a term occurs in a document.
type Posting struct {
	Document Document
	Parts    []int // the numbers of the parts that have the term, ascending, each as often as the term occurs in it
}

// PostingQuery asks for the documents that have a term.
type PostingQuery struct {
	Spaces []string // ids; none gives nothing
	Kind   DocumentKind
	Term   string
}

// NewDocumentID returns the id of a document of a row: its beginning is the greater, the newer the row is.
func NewDocumentID(kind DocumentKind, micros int64, row string) DocumentID {
	return DocumentID(fmt.Sprintf("%016x/%s/%s", max(0, micros), kind, row))
}

// age returns the part of the document's id that is the greater, the newer its row is.
func (d Document) age() string {
	age, _, _ := strings.Cut(string(d.ID), "/")
	return age
}

// IndexTerms returns the numbers of the texts that have each term, ascending, as often as the term occurs in one, and how many terms
// there are in all.
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

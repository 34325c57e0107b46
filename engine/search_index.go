package engine

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

// Document is what the search index knows of one text. The text itself is in the row that the document is about.
type Document struct {
	ID          DocumentID
	Kind        DocumentKind
	SpaceID     SpaceID
	RecordingID RecordingID
	OutputID    OutputID // of DocumentContent only
	Length      int      // terms, counted as often as they occur
}

// Posting says where a term occurs in a document.
type Posting struct {
	Document Document
	Parts    []int // the numbers of the parts that have the term, ascending, each as often as the term occurs in it
}

// PostingQuery asks for the documents that have a term.
type PostingQuery struct {
	Spaces []SpaceID // none gives nothing
	Kind   DocumentKind
	Term   string
}

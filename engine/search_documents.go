package engine

import (
	"fmt"
	"strings"
)

// The documents of the search index are written in the transaction that changes what they are made of. Their ids begin with the
// time of their row, so that those of two documents tell which is newer.

// indexTitle makes a recording found by its title.
func indexTitle(tx Tx, r Recording) error {
	return putDocument(tx, Document{
		ID: documentID(DocumentRecording, r.CreatedAt.UnixMicro(), string(r.ID)), Kind: DocumentRecording, SpaceID: r.SpaceID, RecordingID: r.ID,
	}, []string{r.Title})
}

// indexTranscript makes a recording found by what is said in it. A URL's transcript is not searched.
func indexTranscript(tx Tx, t Transcript) error {
	if t.RecordingID == "" {
		return nil
	}
	r, err := tx.Recording(t.RecordingID)
	if err != nil {
		return err
	}
	return putDocument(tx, Document{
		ID: documentID(DocumentTranscript, r.CreatedAt.UnixMicro(), string(r.ID)), Kind: DocumentTranscript, SpaceID: r.SpaceID, RecordingID: r.ID,
	}, utteranceTexts(t))
}

// indexOutput makes a recording found by generated content.
func indexOutput(tx Tx, o Output) error {
	return putDocument(tx, Document{
		ID: documentID(DocumentContent, o.CreatedAt.UnixMicro(), string(o.ID)), Kind: DocumentContent, SpaceID: o.SpaceID, RecordingID: o.RecordingID,
		OutputID: o.ID,
	}, lines(o.Text))
}

func documentID(kind DocumentKind, micros int64, row string) DocumentID {
	return DocumentID(fmt.Sprintf("%016x/%s/%s", max(0, micros), kind, row))
}

// age returns the part of the document's id that is the greater, the newer its row is.
func (d Document) age() string {
	age, _, _ := strings.Cut(string(d.ID), "/")
	return age
}

func putDocument(tx Tx, d Document, texts []string) error {
	parts := map[string][]int{}
	for i, text := range texts {
		scanText(text, func(l *lexeme) {
			l.each(func(term []byte) {
				parts[string(term)] = append(parts[string(term)], i)
				d.Length++
			})
		})
	}
	return tx.PutDocument(d, parts)
}

// utteranceTexts are the parts of a transcript's document.
func utteranceTexts(t Transcript) []string {
	texts := make([]string, len(t.Utterances))
	for i, u := range t.Utterances {
		texts[i] = u.Text
	}
	return texts
}

// lines are the parts of an output's document.
func lines(text string) []string { return strings.Split(text, "\n") }

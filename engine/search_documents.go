package engine

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/search"
)

// Documents of the search index are written in the transaction that changes their texts. Their ids begin with the time of their row, so
// that ids sort by age.

// indexTitle indexes the title of a recording.
func indexTitle(tx Tx, r Recording) error {
	return putDocument(tx, search.Document{
		ID: search.NewDocumentID(search.DocumentRecording, r.CreatedAt.UnixMicro(), string(r.ID)), Kind: search.DocumentRecording, SpaceID: string(r.SpaceID), RecordingID: string(r.ID),
	}, []string{r.Title})
}

// indexTranscript indexes the transcript of a recording. Transcripts of URLs are not searched.
func indexTranscript(tx Tx, t Transcript) error {
	if t.RecordingID == "" {
		return nil
	}
	r, err := tx.Recording(t.RecordingID)
	if err != nil {
		return err
	}
	return putDocument(tx, transcriptDocument(r), utteranceTexts(t))
}

// reindexTranscript indexes a transcript again after an edit. If no utterance has another number, only the terms of changed texts are
// written, because a transcript of three hours has thousands of terms.
func reindexTranscript(tx Tx, r Recording, old, now Transcript) error {
	before, texts := utteranceTexts(old), utteranceTexts(now)
	if len(before) != len(texts) {
		return indexTranscript(tx, now)
	}
	var changed []string
	for i, text := range texts {
		if text != before[i] {
			changed = append(changed, before[i], text)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	parts, _ := search.IndexTerms(changed)
	all, length := search.IndexTerms(texts)
	for term := range parts {
		parts[term] = all[term]
	}
	d := transcriptDocument(r)
	d.Length = length
	return tx.PatchDocument(d, parts)
}

func transcriptDocument(r Recording) search.Document {
	return search.Document{
		ID: search.NewDocumentID(search.DocumentTranscript, r.CreatedAt.UnixMicro(), string(r.ID)), Kind: search.DocumentTranscript, SpaceID: string(r.SpaceID), RecordingID: string(r.ID),
	}
}

// indexOutput indexes an output.
func indexOutput(tx Tx, o Output) error {
	return putDocument(tx, search.Document{
		ID: search.NewDocumentID(search.DocumentContent, o.CreatedAt.UnixMicro(), string(o.ID)), Kind: search.DocumentContent, SpaceID: string(o.SpaceID), RecordingID: string(o.RecordingID),
		OutputID: string(o.ID),
	}, lines(o.Text))
}

func putDocument(tx Tx, d search.Document, texts []string) error {
	parts, length := search.IndexTerms(texts)
	d.Length = length
	return tx.PutDocument(d, parts)
}

// utteranceTexts returns the parts of a transcript's document.
func utteranceTexts(t Transcript) []string {
	texts := make([]string, len(t.Utterances))
	for i, u := range t.Utterances {
		texts[i] = u.Text
	}
	return texts
}

// lines returns the parts of an output's document.
func lines(text string) []string { return strings.Split(text, "\n") }

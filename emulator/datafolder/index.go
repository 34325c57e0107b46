package datafolder

import (
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
)

// index builds the search index of all rows, like the engine when it writes them.
func (m *marker) index() error {
	recordings := map[engine.RecordingID]engine.Recording{}
	for _, r := range m.rows.Recordings {
		recordings[r.ID] = r
		if err := m.document(search.DocumentRecording, r, r.CreatedAt, string(r.ID), "", []string{r.Title}); err != nil {
			return err
		}
	}
	for _, t := range m.rows.Transcripts {
		r, ok := recordings[t.RecordingID]
		if !ok || t.Status != engine.TranscriptCompleted {
			continue
		}
		texts := make([]string, len(t.Utterances))
		for i, u := range t.Utterances {
			texts[i] = u.Text
		}
		if err := m.document(search.DocumentTranscript, r, r.CreatedAt, string(r.ID), "", texts); err != nil {
			return err
		}
	}
	for _, o := range m.rows.Outputs {
		r, ok := recordings[o.RecordingID]
		if !ok || o.Status != engine.OutputCompleted {
			continue
		}
		if err := m.document(search.DocumentContent, r, o.CreatedAt, string(o.ID), string(o.ID), strings.Split(o.Text, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// document indexes the texts of a recording, its transcript, or one of its outputs.
func (m *marker) document(kind search.DocumentKind, r engine.Recording, created time.Time, id, output string, texts []string) error {
	parts, length := search.IndexTerms(texts)
	return m.tx.PutDocument(search.Document{
		ID: search.NewDocumentID(kind, created.UnixMicro(), id), Kind: kind, SpaceID: string(r.SpaceID), RecordingID: string(r.ID),
		OutputID: output, Length: length,
	}, parts)
}

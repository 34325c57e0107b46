package memory

import (
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/search"
)

func (tx *readTx) Deletion(id engine.DeletionID) (engine.Deletion, error) {
	return get(tx, tx.deletions, id)
}

func (tx *readTx) DeletionOf(id engine.RecordingID) (engine.Deletion, error) {
	return first(tx, tx.deletions, tx.deletionsByRecording, id)
}

func (tx *readTx) RecordingsBefore(space engine.SpaceID, before time.Time, limit int) ([]engine.Recording, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	before = utc(before)
	found := []engine.Recording{}
	for row := range tx.recordingsByAge.ascend(tx, space) {
		if len(found) >= limit || !row.CreatedAt.Before(before) {
			break
		}
		found = append(found, tx.recordings.copyOf(row).Recording)
	}
	return found, nil
}

func (tx *readTx) JobsOf(ref string) ([]queue.Job, error) {
	if err := tx.checkOpen(); err != nil {
		return nil, err
	}
	found := []queue.Job{}
	for _, j := range tx.jobsByRef.rows(tx, ref) {
		found = append(found, tx.jobs.copyOf(j))
	}
	for group := range tx.jobsByRef.firsts(tx, ref+"/") {
		if !strings.HasPrefix(group, ref+"/") {
			break
		}
		for _, j := range tx.jobsByRef.rows(tx, group) {
			found = append(found, tx.jobs.copyOf(j))
		}
	}
	slices.SortFunc(found, func(a, b queue.Job) int { return byJobID(&a, &b) })
	return found, nil
}

func (tx *writeTx) DeleteJob(id queue.ID) error { return remove(tx, tx.jobs, id) }

func (tx *writeTx) DeleteUpload(id engine.UploadID) error { return remove(tx, tx.uploads, id) }

func (tx *writeTx) DeleteImport(id engine.ImportID) error { return remove(tx, tx.imports, id) }

func (tx *writeTx) PutDeletion(d engine.Deletion) error { return put(tx, tx.deletions, d.ID, d) }

func (tx *writeTx) DeleteDeletion(id engine.DeletionID) error { return remove(tx, tx.deletions, id) }

func (tx *writeTx) DeleteSpeaker(id engine.SpeakerID) error {
	if err := tx.checkOpen(); err != nil {
		return err
	}
	for _, a := range tx.assignmentsBySpeaker.rows(&tx.readTx, id) {
		tx.assignments.unset(tx, label{a.RecordingID, a.Label})
	}
	return remove(tx, tx.speakers, id)
}

// DeleteRecording also removes the documents, which is fast enough here.
func (tx *writeTx) DeleteRecording(id engine.RecordingID) error {
	if err := tx.checkOpen(); err != nil {
		return err
	}
	tx.removeDocuments(id, -1)
	return remove(tx, tx.recordings, id)
}

func (tx *writeTx) DeleteRecordingRows(id engine.RecordingID, limit int) (n int, err error) {
	if err := tx.checkOpen(); err != nil {
		return 0, err
	}
	n += removeRows(tx, tx.renders, tx.rendersByAge, id, limit-n, func(r *engine.Render) engine.RenderID { return r.ID })
	n += removeRows(tx, tx.outputs, tx.outputsByAge, id, limit-n, func(o *engine.Output) engine.OutputID { return o.ID })
	n += removeRows(tx, tx.suggestions, tx.suggestionsByScore, id, limit-n, func(s *engine.Suggestion) engine.SuggestionID { return s.ID })
	n += removeRows(tx, tx.edits, tx.editsByRevision, id, limit-n, func(e *engine.Edit) engine.EditID { return e.ID })
	n += removeRows(tx, tx.assignments, tx.labels, id, limit-n, func(a *engine.Assignment) label { return label{a.RecordingID, a.Label} })
	for t := range tx.transcriptsByID.ascend(&tx.readTx, id) {
		n += removeRows(tx, tx.translations, tx.translationsByLanguage, t.ID, limit-n, func(t *engine.Translation) translationKey {
			return translationKey{t.TranscriptID, t.Language}
		})
	}
	for _, l := range tx.chatsByRecording.rows(&tx.readTx, id) {
		if n >= limit {
			break
		}
		if err := tx.removeChat(l.chat); err != nil {
			return 0, err
		}
		n++
	}
	n += tx.removeDocuments(id, limit-n)
	n += removeRows(tx, tx.transcripts, tx.transcriptsByID, id, limit-n, func(t *engine.Transcript) engine.TranscriptID { return t.ID })
	return n, nil
}

// removeRows removes at most limit rows of a group, and returns how many.
func removeRows[G, K, V any](tx *writeTx, t *table[K, V], x *sorted[G, V], g G, limit int, key func(*V) K) int {
	n := 0
	for _, row := range x.rows(&tx.readTx, g) {
		if n >= limit {
			break
		}
		t.unset(tx, key(row))
		n++
	}
	return n
}

// removeDocuments removes at most limit documents of a recording; limit < 0 removes all.
func (tx *writeTx) removeDocuments(id engine.RecordingID, limit int) int {
	rows := tx.documentsByRecording.rows(&tx.readTx, string(id))
	if limit < 0 {
		limit = len(rows)
	}
	return removeRows(tx, tx.documents, tx.documentsByRecording, string(id), limit, func(d *documentRow) search.DocumentID { return d.ID })
}

func deletionRecording(d *engine.Deletion) engine.RecordingID { return d.RecordingID }
func byDeletionAge(a, b *engine.Deletion) int                 { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }

func documentRecording(d *documentRow) string { return d.RecordingID }
func byDocument(a, b *documentRow) int        { return strings.Compare(string(a.ID), string(b.ID)) }
func jobRef(j *queue.Job) string              { return j.Ref }

func cloneDeletion(d engine.Deletion) engine.Deletion {
	d.CreatedAt = utc(d.CreatedAt)
	return d
}

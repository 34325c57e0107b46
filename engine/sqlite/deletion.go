package sqlite

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

var deletions = newTable(rows.Deletions)

var (
	deletionOfRecording = "SELECT " + deletions.columns + " FROM deletions WHERE recording_id = ? ORDER BY created_at, id LIMIT 1"
	// recordingsBefore reads the index backwards. Its limit is an expression for the same reason as that of pageQuery.
	recordingsBefore = "SELECT " + recordings.columns + " FROM recordings INDEXED BY recordings_by_space WHERE space_id = ?1 AND created_at < ?2 ORDER BY created_at, id LIMIT ?3 + 0"
	// jobsOfRef reads the jobs of a row, jobsUnderRef those whose ref begins with the row's id and a slash; '0' is the character after '/'.
	jobsOfRef            = "SELECT " + jobs.columns + " FROM jobs INDEXED BY jobs_by_ref WHERE ref = ? ORDER BY id"
	jobsUnderRef         = "SELECT " + jobs.columns + " FROM jobs INDEXED BY jobs_by_ref WHERE ref > ?1 || '/' AND ref < ?1 || '0'"
	documentsOfRecording = "SELECT " + documents.columns + " FROM documents WHERE recording_id = ? ORDER BY id"
)

const deleteDocument = "DELETE FROM documents WHERE key = ?"

// recordingRows has the statements that delete rows about a recording, given its id and how many rows. Translations go before transcripts.
var recordingRows = []string{
	"DELETE FROM renders WHERE id IN (SELECT id FROM renders WHERE recording_id = ?1 LIMIT ?2 + 0) RETURNING 1",
	"DELETE FROM outputs WHERE id IN (SELECT id FROM outputs WHERE recording_id = ?1 LIMIT ?2 + 0) RETURNING 1",
	"DELETE FROM suggestions WHERE id IN (SELECT id FROM suggestions WHERE recording_id = ?1 LIMIT ?2 + 0) RETURNING 1",
	"DELETE FROM edits WHERE id IN (SELECT id FROM edits WHERE recording_id = ?1 LIMIT ?2 + 0) RETURNING 1",
	"DELETE FROM assignments WHERE recording_id = ?1 AND label IN (SELECT label FROM assignments WHERE recording_id = ?1 LIMIT ?2 + 0) RETURNING 1",
	"DELETE FROM translations WHERE rowid IN (SELECT rowid FROM translations WHERE transcript_id IN (" + transcriptIDs + ") LIMIT ?2 + 0) RETURNING 1",
	"DELETE FROM transcripts WHERE id IN (" + transcriptIDs + " LIMIT ?2 + 0) RETURNING 1",
}

const transcriptIDs = "SELECT id FROM transcripts WHERE recording_id = ?1 AND recording_id <> ''"

// chatIDs returns the ids of chats that use a recording.
const chatIDs = "SELECT chat_id FROM chat_recordings WHERE recording_id = ?1 LIMIT ?2 + 0"

func (t *readTx) Deletion(id engine.DeletionID) (engine.Deletion, error) {
	return one(t, deletions, deletions.get, string(id))
}

func (t *readTx) DeletionOf(id engine.RecordingID) (engine.Deletion, error) {
	return one(t, deletions, deletionOfRecording, string(id))
}

func (t *readTx) RecordingsBefore(space engine.SpaceID, before time.Time, limit int) ([]engine.Recording, error) {
	return all(t, recordings, recordingsBefore, string(space), rows.Micros(before), int64(max(0, limit)))
}

func (t *readTx) JobsOf(ref string) ([]queue.Job, error) {
	found, err := all(t, jobs, jobsOfRef, ref)
	if err != nil {
		return nil, err
	}
	under, err := all(t, jobs, jobsUnderRef, ref)
	found = append(found, under...)
	slices.SortFunc(found, func(a, b queue.Job) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return found, err
}

func (t *tx) DeleteJob(id queue.ID) error {
	return t.exec("DELETE FROM jobs WHERE id = ?", string(id))
}

func (t *tx) DeleteUpload(id engine.UploadID) error {
	return t.exec("DELETE FROM uploads WHERE id = ?", string(id))
}

func (t *tx) DeleteImport(id engine.ImportID) error {
	return t.exec("DELETE FROM imports WHERE id = ?", string(id))
}

func (t *tx) PutDeletion(d engine.Deletion) error { return write(t, deletions, deletions.put, d) }

func (t *tx) DeleteDeletion(id engine.DeletionID) error {
	return t.exec("DELETE FROM deletions WHERE id = ?", string(id))
}

// DeleteRecording takes the documents out of their space, because their postings are too many to remove at once.
func (t *tx) DeleteRecording(id engine.RecordingID) error {
	found, err := all(&t.readTx, documents, documentsOfRecording, string(id))
	if err != nil {
		return err
	}
	for _, d := range found {
		d.SpaceID = ""
		if err := write(t, documents, documents.put, d); err != nil {
			return err
		}
	}
	return t.exec("DELETE FROM recordings WHERE id = ?", string(id))
}

func (t *tx) DeleteRecordingRows(id engine.RecordingID, limit int) (n int, err error) {
	for _, statement := range recordingRows {
		removed, err := each(&t.readTx, (*row).Int64, statement, string(id), int64(max(0, limit-n)))
		if err != nil {
			return 0, err
		}
		n += len(removed)
	}
	found, err := each(&t.readTx, (*row).Text, chatIDs, string(id), int64(max(0, limit-n)))
	for _, chat := range found {
		if err := errors.Join(t.exec(unlinkChat, chat), t.exec(deleteChat, chat)); err != nil {
			return 0, err
		}
	}
	if err != nil {
		return 0, err
	}
	n += len(found)
	removed, err := t.deleteDocuments(id, limit-n)
	return n + removed, err
}

// deleteDocuments removes at most limit documents of a recording and their postings.
func (t *tx) deleteDocuments(id engine.RecordingID, limit int) (int, error) {
	keys, err := each(&t.readTx, (*row).Int64, "SELECT key FROM documents WHERE recording_id = ?1 LIMIT ?2 + 0", string(id), int64(max(0, limit)))
	for _, key := range keys {
		if err := errors.Join(t.exec(deletePostings, key), t.exec(deleteDocument, key)); err != nil {
			return 0, err
		}
	}
	return len(keys), err
}

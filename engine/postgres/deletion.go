package postgres

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var deletions = newTable(rows.Deletions)

var (
	deletionOfRecording = "SELECT " + deletions.columns + " FROM deletions WHERE recording_id = $1 ORDER BY created_at, id LIMIT 1"
	recordingsBefore    = "SELECT " + recordings.columns + " FROM recordings WHERE space_id = $1 AND created_at < $2 ORDER BY created_at, id LIMIT $3"
)

const transcriptIDs = "SELECT id FROM transcripts WHERE recording_id = $1 AND recording_id <> ''"

// recordingRows has the statements that delete rows about a recording, given its id and how many rows. Translations go before transcripts.
var recordingRows = []string{
	"DELETE FROM renders WHERE id IN (SELECT id FROM renders WHERE recording_id = $1 LIMIT $2)",
	"DELETE FROM outputs WHERE id IN (SELECT id FROM outputs WHERE recording_id = $1 LIMIT $2)",
	"DELETE FROM suggestions WHERE id IN (SELECT id FROM suggestions WHERE recording_id = $1 LIMIT $2)",
	"DELETE FROM edits WHERE id IN (SELECT id FROM edits WHERE recording_id = $1 LIMIT $2)",
	"DELETE FROM assignments WHERE recording_id = $1 AND label IN (SELECT label FROM assignments WHERE recording_id = $1 LIMIT $2)",
	"DELETE FROM translations WHERE ctid IN (SELECT ctid FROM translations WHERE transcript_id IN (" + transcriptIDs + ") LIMIT $2)",
	"DELETE FROM transcripts WHERE id IN (" + transcriptIDs + " LIMIT $2)",
}

func (t *readTx) Deletion(id engine.DeletionID) (engine.Deletion, error) {
	return one(t, deletions, deletions.get, string(id))
}

func (t *readTx) DeletionOf(id engine.RecordingID) (engine.Deletion, error) {
	return one(t, deletions, deletionOfRecording, string(id))
}

func (t *readTx) RecordingsBefore(space engine.SpaceID, before time.Time, limit int) ([]engine.Recording, error) {
	return all(t, recordings, recordingsBefore, string(space), before.UnixMicro(), int64(max(0, limit)))
}

func (t *tx) DeleteUpload(id engine.UploadID) error {
	return t.exec("DELETE FROM uploads WHERE id = $1", string(id))
}

func (t *tx) DeleteImport(id engine.ImportID) error {
	return t.exec("DELETE FROM imports WHERE id = $1", string(id))
}

func (t *tx) PutDeletion(d engine.Deletion) error { return write(t, deletions, deletions.put, d) }

func (t *tx) DeleteDeletion(id engine.DeletionID) error {
	return t.exec("DELETE FROM deletions WHERE id = $1", string(id))
}

// DeleteRecording takes the documents out of their space, because their postings are too many to remove at once.
func (t *tx) DeleteRecording(id engine.RecordingID) error {
	if err := t.exec("UPDATE documents SET space_id = '' WHERE recording_id = $1", string(id)); err != nil {
		return err
	}
	return t.exec("DELETE FROM recordings WHERE id = $1", string(id))
}

func (t *tx) DeleteRecordingRows(id engine.RecordingID, limit int) (n int, err error) {
	for _, statement := range append(recordingRows, deleteChats, deleteDocuments) {
		removed, err := t.count(statement, string(id), int64(max(0, limit-n)))
		if err != nil {
			return 0, err
		}
		n += removed
	}
	return n, nil
}

const (
	// deleteChats removes chats that use a recording, and their links to all recordings.
	deleteChats = `WITH gone AS (SELECT DISTINCT chat_id FROM chat_recordings WHERE recording_id = $1 LIMIT $2),
	links AS (DELETE FROM chat_recordings WHERE chat_id IN (SELECT chat_id FROM gone))
	DELETE FROM chats WHERE id IN (SELECT chat_id FROM gone)`
	// deleteDocuments removes documents and their postings.
	deleteDocuments = `WITH gone AS (SELECT key FROM documents WHERE recording_id = $1 LIMIT $2),
	postings AS (DELETE FROM postings WHERE document IN (SELECT key FROM gone))
	DELETE FROM documents WHERE key IN (SELECT key FROM gone)`
)

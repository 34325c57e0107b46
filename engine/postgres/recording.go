package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var recordings = newTable(rows.Recordings)

// recordingByExternalID repeats the condition of the index recordings_by_external_id.
var recordingByExternalID = "SELECT " + recordings.columns + " FROM recordings WHERE space_id = $1 AND external_id = $2 AND external_id <> ''"

func (t *readTx) RecordingByExternalID(space engine.SpaceID, id string) (engine.Recording, error) {
	return one(t, recordings, recordingByExternalID, string(space), id)
}

func (t *readTx) Recording(id engine.RecordingID) (engine.Recording, error) {
	return one(t, recordings, recordings.get, string(id))
}

func (t *tx) PutRecording(r engine.Recording) error { return write(t, recordings, recordings.put, r) }

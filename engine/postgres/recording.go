package postgres

import (
	"context"

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

var memberRecording = "SELECT " + recordings.qualified("r") + ", " + spaces.qualified("s") + ` FROM recordings AS r
	JOIN members ON members.space_id = r.space_id AND user_id = $2 JOIN spaces AS s ON s.id = r.space_id WHERE r.id = $1`

// MemberRecording implements engine.JoiningStore.
func (s *Store) MemberRecording(ctx context.Context, id engine.RecordingID, user engine.UserID) (r engine.Recording, space engine.Space, err error) {
	err = s.readOne(ctx, func(row *rows.Row) {
		recordings.rows.Scan(row, &r)
		spaces.rows.Scan(row, &space)
	}, recordings.rows.Noun, memberRecording, string(id), string(user))
	return r, space, err
}

func (t *tx) PutRecording(r engine.Recording) error { return write(t, recordings, recordings.put, r) }

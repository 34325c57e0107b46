package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var assignments = newTable(rows.Assignments)

var roles = newTable(rows.Roles)

var speakers = newTable(rows.Speakers)

const deleteAssignmentsOfSpeaker = "DELETE FROM assignments WHERE speaker_id = $1"

var (
	speakersOfSpace        = "SELECT " + speakers.columns + " FROM speakers WHERE space_id = $1 ORDER BY created_at, id"
	rolesOfSpace           = "SELECT " + roles.columns + " FROM roles WHERE space_id = $1 ORDER BY created_at, id"
	assignmentsOfRecording = "SELECT " + assignments.columns + " FROM assignments WHERE recording_id = $1 ORDER BY octet_length(label), label"
	assignmentsOfSpeaker   = "SELECT " + assignments.columns + " FROM assignments WHERE speaker_id = $1 ORDER BY recording_id, octet_length(label), label"
)

func (t *readTx) Speaker(id engine.SpeakerID) (engine.Speaker, error) {
	return one(t, speakers, speakers.get, string(id))
}

func (t *readTx) Speakers(id engine.SpaceID) ([]engine.Speaker, error) {
	return all(t, speakers, speakersOfSpace, string(id))
}

func (t *readTx) Roles(id engine.SpaceID) ([]engine.Role, error) {
	return all(t, roles, rolesOfSpace, string(id))
}

// Assignments sorts labels by length and then by bytes, so that "Speaker 2" comes before "Speaker 10".
func (t *readTx) Assignments(id engine.RecordingID) ([]engine.Assignment, error) {
	return all(t, assignments, assignmentsOfRecording, string(id))
}

func (t *readTx) AssignmentsOf(id engine.SpeakerID) ([]engine.Assignment, error) {
	return all(t, assignments, assignmentsOfSpeaker, string(id))
}

func (t *tx) PutSpeaker(s engine.Speaker) error { return write(t, speakers, speakers.put, s) }

func (t *tx) DeleteSpeaker(id engine.SpeakerID) error {
	if err := t.exec(deleteAssignmentsOfSpeaker, string(id)); err != nil {
		return err
	}
	return t.exec("DELETE FROM speakers WHERE id = $1", string(id))
}

func (t *tx) PutRole(r engine.Role) error { return write(t, roles, roles.put, r) }

func (t *tx) PutAssignment(a engine.Assignment) error {
	return write(t, assignments, assignments.put, a)
}

func (t *tx) DeleteAssignment(id engine.RecordingID, label string) error {
	return t.exec("DELETE FROM assignments WHERE recording_id = $1 AND label = $2", string(id), label)
}

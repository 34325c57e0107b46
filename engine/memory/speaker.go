package memory

import (
	"cmp"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// label identifies an assignment.
type label struct {
	recording engine.RecordingID
	label     string
}

func (tx *readTx) Speaker(id engine.SpeakerID) (engine.Speaker, error) {
	return get(tx, tx.speakers, id)
}

func (tx *readTx) Speakers(id engine.SpaceID) ([]engine.Speaker, error) {
	return list(tx, tx.speakers, tx.speakersByAge, id)
}

func (tx *readTx) Roles(id engine.SpaceID) ([]engine.Role, error) {
	return list(tx, tx.roles, tx.rolesByAge, id)
}

func (tx *readTx) Assignments(id engine.RecordingID) ([]engine.Assignment, error) {
	return list(tx, tx.assignments, tx.labels, id)
}

func (tx *readTx) AssignmentsOf(id engine.SpeakerID) ([]engine.Assignment, error) {
	return list(tx, tx.assignments, tx.assignmentsBySpeaker, id)
}

func (tx *writeTx) PutSpeaker(s engine.Speaker) error { return put(tx, tx.speakers, s.ID, s) }

func (tx *writeTx) PutRole(r engine.Role) error { return put(tx, tx.roles, r.ID, r) }

func (tx *writeTx) PutAssignment(a engine.Assignment) error {
	return put(tx, tx.assignments, label{a.RecordingID, a.Label}, a)
}

func (tx *writeTx) DeleteAssignment(id engine.RecordingID, name string) error {
	return remove(tx, tx.assignments, label{id, name})
}

func labelName(l label) string { return pair(l.recording, l.label) }

func speakerSpace(s *engine.Speaker) engine.SpaceID { return s.SpaceID }
func bySpeakerAge(a, b *engine.Speaker) int         { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }
func roleSpace(r *engine.Role) engine.SpaceID       { return r.SpaceID }
func byRoleAge(a, b *engine.Role) int               { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }

func assignmentRecording(a *engine.Assignment) engine.RecordingID { return a.RecordingID }

func assignmentSpeaker(a *engine.Assignment) engine.SpeakerID { return a.SpeakerID }

func byRecordingLabel(a, b *engine.Assignment) int {
	return cmp.Or(strings.Compare(string(a.RecordingID), string(b.RecordingID)), byLabel(a, b))
}

// byLabel compares labels by length and then by bytes, so that "Speaker 2" comes before "Speaker 10".
func byLabel(a, b *engine.Assignment) int {
	return cmp.Or(cmp.Compare(len(a.Label), len(b.Label)), strings.Compare(a.Label, b.Label))
}

func cloneSpeaker(s engine.Speaker) engine.Speaker {
	s.CreatedAt = utc(s.CreatedAt)
	return s
}

func cloneRole(r engine.Role) engine.Role {
	r.CreatedAt = utc(r.CreatedAt)
	return r
}

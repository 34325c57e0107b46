package sqlite

import "github.com/soundstage-dev/soundstage/engine"

const (
	speakerColumns    = "id, space_id, name, email, bio, pronouns, role_id, ai_summary, emoji, created_at"
	roleColumns       = "id, space_id, name, created_at"
	assignmentColumns = "recording_id, label, speaker_id"
)

var (
	putSpeaker = upsert("speakers", speakerColumns)
	putRole    = upsert("roles", roleColumns)
)

func (t *readTx) Speaker(id engine.SpeakerID) (engine.Speaker, error) {
	return one(t, "speaker", scanSpeaker, "SELECT "+speakerColumns+" FROM speakers WHERE id = ?", string(id))
}

func (t *readTx) Speakers(id engine.SpaceID) ([]engine.Speaker, error) {
	return all(t, scanSpeaker, "SELECT "+speakerColumns+" FROM speakers WHERE space_id = ? ORDER BY created_at, id", string(id))
}

func (t *readTx) Roles(id engine.SpaceID) ([]engine.Role, error) {
	return all(t, scanRole, "SELECT "+roleColumns+" FROM roles WHERE space_id = ? ORDER BY created_at, id", string(id))
}

// Assignments orders "Speaker 2" before "Speaker 10": of labels that are alike but for the number, the shorter is the lower.
func (t *readTx) Assignments(id engine.RecordingID) ([]engine.Assignment, error) {
	return all(t, scanAssignment, "SELECT "+assignmentColumns+
		" FROM assignments WHERE recording_id = ? ORDER BY octet_length(label), label", string(id))
}

func (t *tx) PutSpeaker(s engine.Speaker) error {
	return t.exec(putSpeaker, string(s.ID), string(s.SpaceID), s.Name, s.Email, s.Bio, s.Pronouns, string(s.RoleID), s.AISummary,
		s.Emoji, micros(s.CreatedAt))
}

func (t *tx) PutRole(r engine.Role) error {
	return t.exec(putRole, string(r.ID), string(r.SpaceID), r.Name, micros(r.CreatedAt))
}

func (t *tx) PutAssignment(a engine.Assignment) error {
	return t.exec("INSERT OR REPLACE INTO assignments ("+assignmentColumns+") VALUES (?, ?, ?)",
		string(a.RecordingID), a.Label, string(a.SpeakerID))
}

func (t *tx) DeleteAssignment(id engine.RecordingID, label string) error {
	return t.exec("DELETE FROM assignments WHERE recording_id = ? AND label = ?", string(id), label)
}

func scanSpeaker(r *row) engine.Speaker {
	return engine.Speaker{
		ID: engine.SpeakerID(r.text()), SpaceID: engine.SpaceID(r.text()), Name: r.text(), Email: r.text(), Bio: r.text(),
		Pronouns: r.text(), RoleID: engine.RoleID(r.text()), AISummary: r.text(), Emoji: r.text(), CreatedAt: r.time(),
	}
}

func scanRole(r *row) engine.Role {
	return engine.Role{ID: engine.RoleID(r.text()), SpaceID: engine.SpaceID(r.text()), Name: r.text(), CreatedAt: r.time()}
}

func scanAssignment(r *row) engine.Assignment {
	return engine.Assignment{RecordingID: engine.RecordingID(r.text()), Label: r.text(), SpeakerID: engine.SpeakerID(r.text())}
}

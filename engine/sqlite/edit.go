package sqlite

import "github.com/soundstage-dev/soundstage/engine"

var edits = newTable("edits", "edit", func(c *columns, v *engine.Edit) {
	key(c, "id", &v.ID)
	text(c, "recording_id", &v.RecordingID)
	text(c, "user_id", &v.UserID)
	number(c, "revision", &v.Revision)
	timestamp(c, "created_at", &v.CreatedAt)
	list(c, "operations", &v.Operations)
})

var editsOfRecording = "SELECT " + edits.columns + " FROM edits WHERE recording_id = ? ORDER BY revision, id"

func (t *readTx) Edits(id engine.RecordingID) ([]engine.Edit, error) {
	return all(t, edits, editsOfRecording, string(id))
}

func (t *tx) PutEdit(e engine.Edit) error { return write(t, edits, edits.put, e) }

func (t *tx) DeleteEdits(id engine.RecordingID) error {
	return t.exec("DELETE FROM edits WHERE recording_id = ?", string(id))
}

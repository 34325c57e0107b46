package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var edits = newTable(rows.Edits)

var editsOfRecording = "SELECT " + edits.columns + " FROM edits WHERE recording_id = $1 ORDER BY revision, id"

func (t *readTx) Edits(id engine.RecordingID) ([]engine.Edit, error) {
	return all(t, edits, editsOfRecording, string(id))
}

func (t *tx) PutEdit(e engine.Edit) error { return write(t, edits, edits.put, e) }

func (t *tx) DeleteEdits(id engine.RecordingID) error {
	return t.exec("DELETE FROM edits WHERE recording_id = $1", string(id))
}

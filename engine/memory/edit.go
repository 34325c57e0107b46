package memory

import (
	"cmp"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

func (tx *readTx) Edits(id engine.RecordingID) ([]engine.Edit, error) {
	return list(tx, tx.edits, tx.editsByRevision, id)
}

func (tx *writeTx) PutEdit(e engine.Edit) error { return put(tx, tx.edits, e.ID, e) }

func (tx *writeTx) DeleteEdits(id engine.RecordingID) error {
	return removeGroup(tx, tx.edits, tx.editsByRevision, id, func(e *engine.Edit) engine.EditID { return e.ID })
}

func editRecording(e *engine.Edit) engine.RecordingID { return e.RecordingID }

func byRevision(a, b *engine.Edit) int {
	return cmp.Or(cmp.Compare(a.Revision, b.Revision), strings.Compare(string(a.ID), string(b.ID)))
}

func cloneEdit(e engine.Edit) engine.Edit {
	e.Operations = slices.Clone(e.Operations)
	for i := range e.Operations {
		e.Operations[i].Changes = slices.Clone(e.Operations[i].Changes)
	}
	e.CreatedAt = utc(e.CreatedAt)
	return e
}

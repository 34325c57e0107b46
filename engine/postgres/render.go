package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var renders = newTable(rows.Renders)

func (t *readTx) Render(id engine.RenderID) (engine.Render, error) {
	return one(t, renders, renders.get, string(id))
}

var rendersOfRecording = "SELECT " + renders.columns + " FROM renders WHERE recording_id = $1 ORDER BY created_at, id"

func (t *readTx) Renders(id engine.RecordingID) ([]engine.Render, error) {
	return all(t, renders, rendersOfRecording, string(id))
}

func (t *tx) PutRender(r engine.Render) error { return write(t, renders, renders.put, r) }

package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var outputs = newTable(rows.Outputs)

var (
	outputsOfRecording = "SELECT " + outputs.columns + " FROM outputs WHERE recording_id = $1 ORDER BY created_at, id"
)

func (t *readTx) Output(id engine.OutputID) (engine.Output, error) {
	return one(t, outputs, outputs.get, string(id))
}

func (t *readTx) Outputs(id engine.RecordingID) ([]engine.Output, error) {
	return all(t, outputs, outputsOfRecording, string(id))
}

func (t *tx) PutOutput(o engine.Output) error { return write(t, outputs, outputs.put, o) }

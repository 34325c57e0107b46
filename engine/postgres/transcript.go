package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var transcripts = newTable(rows.Transcripts)

func (t *readTx) Transcript(id engine.TranscriptID) (engine.Transcript, error) {
	return one(t, transcripts, transcripts.get, string(id))
}

func (t *tx) DeleteTranscript(id engine.TranscriptID) error {
	return t.exec("DELETE FROM transcripts WHERE id = $1", string(id))
}

// transcriptsOfRecording repeats the condition of the index transcripts_by_recording.
const transcriptsOfRecording = "SELECT id FROM transcripts WHERE recording_id = $1 AND recording_id <> '' ORDER BY id"

func (t *readTx) TranscriptsOf(id engine.RecordingID) ([]engine.TranscriptID, error) {
	return each(t, func(r *rows.Row) engine.TranscriptID { return engine.TranscriptID(r.Text()) }, transcriptsOfRecording, string(id))
}

func (t *tx) PutTranscript(x engine.Transcript) error {
	return write(t, transcripts, transcripts.put, x)
}

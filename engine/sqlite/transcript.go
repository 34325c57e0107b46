package sqlite

import (
	"github.com/soundstage-dev/soundstage/engine"
)

var transcripts = newTable("transcripts", "transcript", func(c *columns, v *engine.Transcript) {
	key(c, "id", &v.ID)
	text(c, "user_id", &v.UserID)
	text(c, "recording_id", &v.RecordingID)
	text(c, "url", &v.URL)
	text(c, "status", &v.Status)
	text(c, "error", &v.Error)
	text(c, "error_code", &v.ErrorCode)
	text(c, "error_hint", &v.ErrorHint)
	text(c, "error_rule", &v.ErrorRule)
	text(c, "language", &v.Language)
	flag(c, "detect_language", &v.DetectLanguage)
	list(c, "boosted_words", &v.BoostedWords)
	list(c, "spellings", &v.Spellings)
	number(c, "speakers_expected", &v.SpeakersExpected)
	text(c, "context_prompt", &v.ContextPrompt)
	duration(c, "duration", &v.Duration)
	text(c, "blob_key", &v.BlobKey)
	text(c, "words_key", &v.WordsKey)
	timestamp(c, "created_at", &v.CreatedAt)
	timestamp(c, "updated_at", &v.UpdatedAt)
	bytes(c, "utterances", &v.Utterances, encodeUtterances, decodeUtterances)
})

func (t *readTx) Transcript(id engine.TranscriptID) (engine.Transcript, error) {
	return one(t, transcripts, transcripts.get, string(id))
}

func (t *tx) DeleteTranscript(id engine.TranscriptID) error {
	return t.exec("DELETE FROM transcripts WHERE id = ?", string(id))
}

// transcriptsOfRecording repeats the condition of the index transcripts_by_recording.
const transcriptsOfRecording = "SELECT id FROM transcripts WHERE recording_id = ? AND recording_id <> '' ORDER BY id"

func (t *readTx) TranscriptsOf(id engine.RecordingID) ([]engine.TranscriptID, error) {
	return each(t, func(r *row) engine.TranscriptID { return engine.TranscriptID(r.text()) }, transcriptsOfRecording, string(id))
}

func (t *tx) PutTranscript(x engine.Transcript) error {
	return write(t, transcripts, transcripts.put, x)
}

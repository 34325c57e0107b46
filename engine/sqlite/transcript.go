package sqlite

import (
	"errors"

	"github.com/soundstage-dev/soundstage/engine"
)

const transcriptColumns = "id, user_id, recording_id, url, status, error, error_code, error_hint, error_rule, language, duration, utterances, detect_language, boosted_words, spellings, speakers_expected, context_prompt, blob_key, words_key, created_at, updated_at"

var putTranscript = upsert("transcripts", transcriptColumns)

func (t *readTx) Transcript(id engine.TranscriptID) (engine.Transcript, error) {
	return one(t, "transcript", scanTranscript, "SELECT "+transcriptColumns+" FROM transcripts WHERE id = ?", string(id))
}

func (t *tx) PutTranscript(x engine.Transcript) error {
	words, err := toJSON(x.BoostedWords)
	spellings, err2 := toJSON(x.Spellings)
	if err := errors.Join(err, err2); err != nil {
		return t.fail(err)
	}
	return t.exec(putTranscript, string(x.ID), string(x.UserID), string(x.RecordingID), x.URL, string(x.Status), x.Error, string(x.ErrorCode), x.ErrorHint, string(x.ErrorRule),
		string(x.Language), durationMicros(x.Duration), encodeUtterances(x.Utterances), x.DetectLanguage, words, spellings, int64(x.SpeakersExpected), x.ContextPrompt,
		x.BlobKey, x.WordsKey, micros(x.CreatedAt), micros(x.UpdatedAt))
}

func scanTranscript(r *row) engine.Transcript {
	return engine.Transcript{
		ID: engine.TranscriptID(r.text()), UserID: engine.UserID(r.text()), RecordingID: engine.RecordingID(r.text()), URL: r.text(),
		Status: engine.TranscriptStatus(r.text()), Error: r.text(), ErrorCode: engine.Code(r.text()), ErrorHint: r.text(), ErrorRule: engine.Rule(r.text()),
		TranscriptText: engine.TranscriptText{Language: engine.Language(r.text()), Duration: r.duration(), Utterances: optional(r, decodeUtterances)}, DetectLanguage: r.bool(),
		BoostedWords: optional(r, fromJSON[[]string]), Spellings: optional(r, fromJSON[[]engine.Spelling]),
		SpeakersExpected: r.int(), ContextPrompt: r.text(), BlobKey: r.text(), WordsKey: r.text(),
		CreatedAt: r.time(), UpdatedAt: r.time(),
	}
}

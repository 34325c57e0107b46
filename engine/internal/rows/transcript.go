package rows

import "github.com/soundstage-dev/soundstage/engine"

// Transcripts is the table of transcripts.
var Transcripts = New("transcripts", "transcript", func(c *Columns, v *engine.Transcript) {
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
	bytes(c, "utterances", &v.Utterances, EncodeUtterances, DecodeUtterances)
})

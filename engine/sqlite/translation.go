package sqlite

import "github.com/soundstage-dev/soundstage/engine"

const translationColumns = "transcript_id, language, glossary, created_at, utterances"

func (t *readTx) Translation(id engine.TranscriptID, language engine.Language) (engine.Translation, error) {
	return one(t, "translation", scanTranslation,
		"SELECT "+translationColumns+" FROM translations WHERE transcript_id = ? AND language = ?", string(id), string(language))
}

func (t *tx) PutTranslation(x engine.Translation) error {
	return t.exec("INSERT OR REPLACE INTO translations ("+translationColumns+") VALUES (?, ?, ?, ?, ?)",
		string(x.TranscriptID), string(x.Language), x.Glossary, micros(x.CreatedAt), encodeUtterances(x.Utterances))
}

func scanTranslation(r *row) engine.Translation {
	return engine.Translation{
		TranscriptID: engine.TranscriptID(r.text()), Language: engine.Language(r.text()), Glossary: r.text(), CreatedAt: r.time(),
		Utterances: optional(r, decodeUtterances),
	}
}

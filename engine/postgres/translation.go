package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

var translations = newTable(rows.Translations)

func (t *readTx) Translation(id engine.TranscriptID, language transcript.Language) (engine.Translation, error) {
	return one(t, translations, translations.get, string(id), string(language))
}

func (t *tx) PutTranslation(x engine.Translation) error {
	return write(t, translations, translations.put, x)
}

func (t *tx) DeleteTranslations(id engine.TranscriptID) error {
	return t.exec("DELETE FROM translations WHERE transcript_id = $1", string(id))
}

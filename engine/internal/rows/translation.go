package rows

import "github.com/soundstage-dev/soundstage/engine"

// Translations is the table of translations.
var Translations = New("translations", "translation", func(c *Columns, v *engine.Translation) {
	key(c, "transcript_id", &v.TranscriptID)
	key(c, "language", &v.Language)
	text(c, "glossary", &v.Glossary)
	timestamp(c, "created_at", &v.CreatedAt)
	bytes(c, "utterances", &v.Utterances, EncodeUtterances, DecodeUtterances)
})

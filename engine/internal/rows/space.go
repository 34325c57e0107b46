package rows

import "github.com/soundstage-dev/soundstage/engine"

// Spaces is the table of spaces.
var Spaces = New("spaces", "space", func(c *Columns, v *engine.Space) {
	key(c, "id", &v.ID)
	text(c, "account_id", &v.AccountID)
	text(c, "name", &v.Name)
	text(c, "language", &v.Language)
	flag(c, "auto_generate", &v.AutoGenerate)
	list(c, "boosted_words", &v.BoostedWords)
	list(c, "spellings", &v.Spellings)
	flag(c, "inactive", &v.Inactive)
	number(c, "last_number", &v.LastNumber)
	timestamp(c, "created_at", &v.CreatedAt)
	list(c, "owners", &v.Owners)
	duration(c, "retention", &v.Retention)
})

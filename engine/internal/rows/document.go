package rows

import "github.com/soundstage-dev/soundstage/engine/search"

// Documents is the table of documents.
var Documents = New("documents", "document", func(c *Columns, v *search.Document) {
	key(c, "id", &v.ID)
	text(c, "space_id", &v.SpaceID)
	text(c, "recording_id", &v.RecordingID)
	text(c, "output_id", &v.OutputID)
	number(c, "length", &v.Length)
})

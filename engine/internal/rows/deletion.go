package rows

import "github.com/soundstage-dev/soundstage/engine"

// Deletions is the table of deletions.
var Deletions = New("deletions", "deletion", func(c *Columns, v *engine.Deletion) {
	key(c, "id", &v.ID)
	text(c, "recording_id", &v.RecordingID)
	text(c, "space_id", &v.SpaceID)
	text(c, "account_id", &v.AccountID)
	text(c, "upload_id", &v.UploadID)
	text(c, "import_id", &v.ImportID)
	text(c, "blob_key", &v.BlobKey)
	number(c, "size", &v.Size)
	timestamp(c, "created_at", &v.CreatedAt)
})

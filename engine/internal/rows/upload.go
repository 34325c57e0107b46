package rows

import "github.com/soundstage-dev/soundstage/engine"

// Uploads is the table of uploads.
var Uploads = New("uploads", "upload", func(c *Columns, v *engine.Upload) {
	key(c, "id", &v.ID)
	text(c, "user_id", &v.UserID)
	text(c, "account_id", &v.AccountID)
	text(c, "space_id", &v.SpaceID)
	text(c, "filename", &v.Filename)
	text(c, "content_type", &v.ContentType)
	number(c, "size", &v.Size)
	text(c, "title", &v.Title)
	text(c, "status", &v.Status)
	number(c, "stored_size", &v.StoredSize)
	text(c, "blob_key", &v.BlobKey)
	hash(c, "sha256", &v.SHA256)
	timestamp(c, "created_at", &v.CreatedAt)
	timestamp(c, "expires_at", &v.ExpiresAt)
})

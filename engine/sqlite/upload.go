package sqlite

import "github.com/soundstage-dev/soundstage/engine"

var uploads = newTable("uploads", "upload", func(c *columns, v *engine.Upload) {
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

func (t *readTx) Upload(id engine.UploadID) (engine.Upload, error) {
	return one(t, uploads, uploads.get, string(id))
}

func (t *tx) PutUpload(u engine.Upload) error { return write(t, uploads, uploads.put, u) }

package sqlite

import "github.com/soundstage-dev/soundstage/engine"

const uploadColumns = "id, user_id, account_id, space_id, filename, content_type, size, title, status, stored_size, blob_key, sha256, created_at, expires_at"

var putUpload = upsert("uploads", uploadColumns)

func (t *readTx) Upload(id engine.UploadID) (engine.Upload, error) {
	return one(t, "upload", scanUpload, "SELECT "+uploadColumns+" FROM uploads WHERE id = ?", string(id))
}

func (t *tx) PutUpload(u engine.Upload) error {
	return t.exec(putUpload, string(u.ID), string(u.UserID), string(u.AccountID), string(u.SpaceID), u.Filename, u.ContentType,
		u.Size, u.Title, string(u.Status), u.StoredSize, u.BlobKey, u.SHA256[:], micros(u.CreatedAt), micros(u.ExpiresAt))
}

func scanUpload(r *row) engine.Upload {
	return engine.Upload{
		ID: engine.UploadID(r.text()), UserID: engine.UserID(r.text()), AccountID: engine.AccountID(r.text()), SpaceID: engine.SpaceID(r.text()),
		Filename: r.text(), ContentType: r.text(), Size: r.int64(), Title: r.text(), Status: engine.UploadStatus(r.text()),
		StoredSize: r.int64(), BlobKey: r.text(), SHA256: r.hash(), CreatedAt: r.time(), ExpiresAt: r.time(),
	}
}

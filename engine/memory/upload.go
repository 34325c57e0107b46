package memory

import "github.com/soundstage-dev/soundstage/engine"

func (tx *readTx) Upload(id engine.UploadID) (engine.Upload, error) { return get(tx, tx.uploads, id) }

func (tx *writeTx) PutUpload(u engine.Upload) error { return put(tx, tx.uploads, u.ID, u) }

func cloneUpload(u engine.Upload) engine.Upload {
	u.CreatedAt, u.ExpiresAt = utc(u.CreatedAt), utc(u.ExpiresAt)
	return u
}

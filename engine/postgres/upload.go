package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var uploads = newTable(rows.Uploads)

func (t *readTx) Upload(id engine.UploadID) (engine.Upload, error) {
	return one(t, uploads, uploads.get, string(id))
}

func (t *tx) PutUpload(u engine.Upload) error { return write(t, uploads, uploads.put, u) }

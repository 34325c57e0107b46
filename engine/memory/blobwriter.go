package memory

import (
	"bytes"
	"errors"
	"hash"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// blobWriter receives the bytes of one blob.
type blobWriter struct {
	blobs *Blobs
	key   string
	meta  engine.BlobMeta
	hash  hash.Hash
	data  bytes.Buffer
	over  error // why nothing more can be done; nil while it can
}

var errDone = &engine.Error{Code: engine.CodeInternal, Err: errors.New("memory: the blob is committed or aborted already")}

func (w *blobWriter) Write(p []byte) (int, error) {
	if w.over != nil {
		return 0, w.over
	}
	if limit := w.meta.MaxSize; limit > 0 && int64(len(p)) > limit-int64(w.data.Len()) {
		w.end(engine.Errorf(engine.CodeTooLarge, "", "More than the allowed %d bytes were sent.", limit))
		return 0, w.over
	}
	w.hash.Write(p)
	return w.data.Write(p)
}

// Commit makes the blob visible.
func (w *blobWriter) Commit() (engine.BlobInfo, error) {
	if w.over != nil {
		return engine.BlobInfo{}, w.over
	}
	info := engine.BlobInfo{
		Key: w.key, Size: int64(w.data.Len()), SHA256: [32]byte(w.hash.Sum(nil)), ContentType: w.meta.ContentType, ModTime: utc(time.Now()),
	}
	w.blobs.mu.Lock()
	w.blobs.blobs[w.key] = stored{info: info, data: w.data.Bytes()}
	w.blobs.mu.Unlock()
	w.end(errDone)
	return info, nil
}

// Abort drops the bytes, unless they are committed.
func (w *blobWriter) Abort() error {
	if w.over == nil {
		w.end(errDone)
	}
	return nil
}

func (w *blobWriter) end(why error) { w.over, w.data = why, bytes.Buffer{} }

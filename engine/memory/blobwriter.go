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
	ended error // returned by every further call; nil while the writer is open
}

var errDone = &engine.Error{Code: engine.CodeInternal, Err: errors.New("memory: the blob is already committed or aborted")}

func (w *blobWriter) Write(p []byte) (int, error) {
	if w.ended != nil {
		return 0, w.ended
	}
	if limit := w.meta.MaxSize; limit > 0 && int64(len(p)) > limit-int64(w.data.Len()) {
		w.end(engine.Errorf(engine.CodeTooLarge, "", "The blob is larger than the allowed %d bytes.", limit))
		return 0, w.ended
	}
	w.hash.Write(p)
	return w.data.Write(p)
}

// Commit makes the blob visible.
func (w *blobWriter) Commit() (engine.BlobInfo, error) {
	if w.ended != nil {
		return engine.BlobInfo{}, w.ended
	}
	info := engine.BlobInfo{
		Key: w.key, Size: int64(w.data.Len()), SHA256: [32]byte(w.hash.Sum(nil)), ContentType: w.meta.ContentType, ModTime: utc(time.Now()),
	}
	if !w.blobs.put(stored{info: info, data: w.data.Bytes()}, w.meta.Once) {
		w.end(engine.Errorf(engine.CodeConflict, "", "The key %q has a blob already.", w.key))
		return engine.BlobInfo{}, w.ended
	}
	w.end(errDone)
	return info, nil
}

// Abort discards the bytes. After Commit it does nothing.
func (w *blobWriter) Abort() error {
	if w.ended == nil {
		w.end(errDone)
	}
	return nil
}

func (w *blobWriter) end(why error) { w.ended, w.data = why, bytes.Buffer{} }

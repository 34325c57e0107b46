package blobs

import (
	"errors"
	"hash"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// writer receives the bytes of one blob: into memory, and into a file once there are too many for that.
type writer struct {
	blobs *Blobs
	key   string
	meta  engine.BlobMeta
	hash  hash.Hash
	small []byte
	file  *os.File // nil while all bytes are in small
	size  int64
	over  error // why nothing more can be done; nil while it can
}

var errDone = &engine.Error{Code: engine.CodeInternal, Err: errors.New("blobs: the blob is committed or aborted already")}

// Write appends to the blob. After an error everything that was written is gone, and Commit fails with the same error.
func (w *writer) Write(p []byte) (int, error) {
	if w.over != nil {
		return 0, w.over
	}
	if limit := w.meta.MaxSize; limit > 0 && int64(len(p)) > limit-w.size {
		return 0, w.fail(engine.Errorf(engine.CodeTooLarge, "", "More than the allowed %d bytes were sent.", limit))
	}
	if err := w.append(p); err != nil {
		return 0, w.fail(err)
	}
	w.hash.Write(p)
	w.size += int64(len(p))
	return len(p), nil
}

func (w *writer) append(p []byte) error {
	if w.file == nil {
		if w.size+int64(len(p)) <= smallBlob {
			w.small = append(w.small, p...)
			return nil
		}
		file, err := w.blobs.shelf.create()
		if err != nil {
			return err
		}
		w.file = file
		if _, err := file.Write(w.small); err != nil {
			return err
		}
		w.small = nil
	}
	_, err := w.file.Write(p)
	return err
}

// Commit makes the blob visible.
func (w *writer) Commit() (engine.BlobInfo, error) {
	if w.over != nil {
		return engine.BlobInfo{}, w.over
	}
	c := &content{shelf: w.blobs.shelf}
	if w.file == nil {
		c.small = append(make([]byte, 0, len(w.small)), w.small...) // no more memory than it needs, and never nil
	} else {
		if err := w.file.Close(); err != nil {
			return engine.BlobInfo{}, w.fail(err)
		}
		c.own(w.file.Name())
	}
	info := engine.BlobInfo{
		Key: w.key, Size: w.size, SHA256: [32]byte(w.hash.Sum(nil)), ContentType: w.meta.ContentType,
		ModTime: w.blobs.now().UTC().Truncate(time.Microsecond),
	}
	w.blobs.put(w.key, stored{info: info, content: c})
	w.over, w.small = errDone, nil
	return info, nil
}

// Abort drops the bytes, unless they are committed.
func (w *writer) Abort() error {
	if w.over == nil {
		_ = w.fail(errDone)
	}
	return nil
}

// fail ends the blob and returns why.
func (w *writer) fail(err error) error {
	w.over, w.small = failure(err), nil
	if w.file != nil {
		_ = w.file.Close()
		_ = os.Remove(w.file.Name())
	}
	return w.over
}

package files

import (
	"encoding/hex"
	"errors"
	"hash"
	"io/fs"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// writer writes and hashes the bytes of one blob.
type writer struct {
	blobs   *Blobs
	key     string
	version string
	meta    engine.BlobMeta
	file    *os.File
	hash    hash.Hash
	size    int64
	over    error // error of every later call; nil while the writer is open
}

var errDone = &engine.Error{Code: engine.CodeInternal, Err: errors.New("files: the blob is already committed or aborted")}

// Write appends to the blob. After an error, the written bytes are removed and Commit returns the same error.
func (w *writer) Write(p []byte) (int, error) {
	if w.over != nil {
		return 0, w.over
	}
	if limit := w.meta.MaxSize; limit > 0 && int64(len(p)) > limit-w.size {
		return 0, w.fail(engine.Errorf(engine.CodeTooLarge, "", "More than the allowed %d bytes were sent.", limit))
	}
	n, err := w.file.Write(p)
	w.hash.Write(p[:n])
	w.size += int64(n)
	if err != nil {
		return n, w.fail(err)
	}
	return n, nil
}

// Commit makes the blob durable and visible.
func (w *writer) Commit() (engine.BlobInfo, error) {
	if w.over != nil {
		return engine.BlobInfo{}, w.over
	}
	r := record{
		Version: w.version, Size: w.size, SHA256: hex.EncodeToString(w.hash.Sum(nil)), ContentType: w.meta.ContentType,
		Stored: w.blobs.options.Now().UTC().Truncate(time.Microsecond),
	}
	err := errors.Join(w.blobs.sync(w.file), w.file.Close())
	if err == nil {
		err = w.blobs.syncFolderOf(w.key) // the data's name must be durable before its record
	}
	if err == nil {
		err = w.blobs.publish(w.key, r, w.meta.Once)
	}
	if err != nil {
		return engine.BlobInfo{}, w.fail(err)
	}
	w.over = errDone
	return r.info(w.key), nil
}

// Abort removes the written bytes, unless they are committed.
func (w *writer) Abort() error {
	if w.over != nil {
		return nil //nolint:nilerr // an ended writer has nothing to remove
	}
	w.over = errDone
	return failure(w.discard())
}

// fail closes the writer with err, and returns err.
func (w *writer) fail(err error) error {
	_ = w.discard() // the next New removes what is left
	w.over = failure(err)
	return w.over
}

func (w *writer) discard() error {
	_ = w.file.Close()
	err := removeFile(w.file.Name())
	w.blobs.prune(w.blobs.path(w.key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

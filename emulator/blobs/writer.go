package blobs

import (
	"errors"
	"hash"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// writer receives the bytes of one blob. It keeps them in memory up to smallBlob bytes, then moves them to a file.
type writer struct {
	blobs     *Blobs
	key       string
	meta      engine.BlobMeta
	hash      hash.Hash
	small     []byte
	file      *os.File // nil while all bytes are in small
	size      int64
	closedErr error // why the writer is closed; nil while it is open
}

var errDone = &engine.Error{Code: engine.CodeInternal, Err: errors.New("blobs: the blob is already committed or aborted")}

// Write appends to the blob. After an error the written bytes are discarded, and Commit returns the same error.
func (w *writer) Write(p []byte) (int, error) {
	if w.closedErr != nil {
		return 0, w.closedErr
	}
	if limit := w.meta.MaxSize; limit > 0 && int64(len(p)) > limit-w.size {
		return 0, w.fail(engine.Errorf(engine.CodeTooLarge, "", "The upload exceeds the limit of %d bytes.", limit))
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
		file, err := w.blobs.pool.create()
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
	if w.closedErr != nil {
		return engine.BlobInfo{}, w.closedErr
	}
	c := &content{pool: w.blobs.pool}
	if w.file == nil {
		c.small = append(make([]byte, 0, len(w.small)), w.small...) // an exact-size copy, never nil
	} else {
		if err := w.file.Close(); err != nil {
			return engine.BlobInfo{}, w.fail(err)
		}
		c.setFile(w.file.Name())
	}
	info := engine.BlobInfo{
		Key: w.key, Size: w.size, SHA256: [32]byte(w.hash.Sum(nil)), ContentType: w.meta.ContentType,
		ModTime: w.blobs.now().UTC().Truncate(time.Microsecond),
	}
	if !w.blobs.put(w.key, stored{info: info, content: c}, w.meta.Once) {
		return engine.BlobInfo{}, w.fail(engine.Errorf(engine.CodeConflict, "", "The key %q has a blob already.", w.key))
	}
	w.closedErr, w.small = errDone, nil
	return info, nil
}

// Abort discards the bytes. It does nothing after Commit.
func (w *writer) Abort() error {
	if w.closedErr == nil {
		_ = w.fail(errDone)
	}
	return nil
}

// fail closes the writer, discards its bytes, and returns the converted error.
func (w *writer) fail(err error) error {
	w.closedErr, w.small = storageError(err), nil
	if w.file != nil {
		_ = w.file.Close()
		_ = os.Remove(w.file.Name())
	}
	return w.closedErr
}

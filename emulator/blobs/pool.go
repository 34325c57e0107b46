package blobs

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// smallBlob is the largest size in bytes of a blob that is kept in memory.
const smallBlob = 64 << 10

// Pool stores the bytes of any number of indexes: small blobs in memory, others as files in one folder. It is safe for concurrent
// use.
type Pool struct {
	folder   func() (string, error)
	verifier files.Verifier
}

// Damaged returns the keys of blobs whose files were found damaged and still are.
func (s *Pool) Damaged() []string { return s.verifier.Damaged() }

// NewPool returns a Pool. folder returns the directory for files and is called when a file is created. The directory's creator
// removes it after the last use of the Pool.
func NewPool(folder func() (string, error)) *Pool { return &Pool{folder: folder} }

// create creates a file in the folder.
func (s *Pool) create() (*os.File, error) {
	dir, err := s.folder()
	if err != nil {
		return nil, storageError(err)
	}
	file, err := os.CreateTemp(dir, "blob-")
	return file, storageError(err)
}

// content holds the immutable bytes of a blob.
type content struct {
	pool  *Pool
	small []byte // a small blob's bytes; nil when the bytes are in a file

	mu   sync.Mutex // guards path while a small blob is written to a file
	path string     // "" before there is a file
}

// setFile sets the content's file, which is removed when the content is garbage collected.
func (c *content) setFile(path string) {
	c.path = path
	runtime.AddCleanup(c, func(path string) { _ = os.Remove(path) }, path)
}

// file returns the path of a file with exactly the content's bytes. The file exists while the content is in use.
func (c *content) file() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path != "" {
		return c.path, nil
	}
	file, err := c.pool.create()
	if err != nil {
		return "", err
	}
	_, err = file.Write(c.small)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(file.Name())
		return "", storageError(err)
	}
	c.setFile(file.Name())
	return c.path, nil
}

// storageError converts a file system error to an *engine.Error.
func storageError(err error) error {
	var known *engine.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case fault.NoSpace(err):
		return engine.Errorf(engine.CodeNoSpace, "", "The disk is full.").WithHint("Free some space, then try again.").Because(err).Transient()
	case errors.Is(err, fs.ErrPermission), fault.ReadOnly(err):
		return engine.Errorf(engine.CodeUnavailable, "", "Permission to use the storage was denied.").
			WithHint("Give the server a temporary folder that it can read and write.").Because(err)
	}
	return &engine.Error{Code: engine.CodeInternal, Err: err}
}

package blobs

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine"
)

// smallBlob is how many bytes a blob may have that is kept in memory.
const smallBlob = 64 << 10

// Shelf has the bytes of the blobs of any number of indexes: small ones in memory, others in files of one folder. It is safe for
// concurrent use.
type Shelf struct {
	folder func() (string, error)
}

// NewShelf returns a Shelf. folder tells where its files are to be, and is asked when there is the first one; whoever made the
// folder removes it, when the Shelf isn't used any more.
func NewShelf(folder func() (string, error)) *Shelf { return &Shelf{folder: folder} }

// create makes a new file.
func (s *Shelf) create() (*os.File, error) {
	dir, err := s.folder()
	if err != nil {
		return nil, failure(err)
	}
	file, err := os.CreateTemp(dir, "blob-")
	return file, failure(err)
}

// content is the bytes of a blob. They never change.
type content struct {
	shelf *Shelf
	small []byte // of a small blob; nil for one that is in a file

	mu   sync.Mutex // held while a small blob gets a file
	path string     // "" for none
}

// own makes a file the content's: it is removed when the content is garbage.
func (c *content) own(path string) {
	c.path = path
	runtime.AddCleanup(c, func(path string) { _ = os.Remove(path) }, path)
}

// file returns the path of a file that has the bytes and nothing else. It is there as long as the content is in use.
func (c *content) file() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path != "" {
		return c.path, nil
	}
	file, err := c.shelf.create()
	if err != nil {
		return "", err
	}
	_, err = file.Write(c.small)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(file.Name())
		return "", failure(err)
	}
	c.own(file.Name())
	return c.path, nil
}

// failure makes an *engine.Error of what the file system said.
func failure(err error) error {
	var known *engine.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return engine.Errorf(engine.CodeNoSpace, "", "The disk is full.").WithHint("Free some space, then try again.").Because(err).Transient()
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return engine.Errorf(engine.CodeUnavailable, "", "The storage may not be used.").
			WithHint("Give the server a temporary folder that it may read and write.").Because(err)
	}
	return &engine.Error{Code: engine.CodeInternal, Err: err}
}

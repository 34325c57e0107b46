package blob

import (
	"context"
	"io"
)

// Opener reads blobs, as a Blobs of package engine does.
type Opener interface {
	Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error)
}

// Source is one blob as a piece of media that can be read any number of times.
type Source struct {
	Blobs  Opener
	Key    string
	Length int64 // bytes
}

// Open reads n bytes from off; n < 0 reads to the end.
func (s Source) Open(ctx context.Context, off, n int64) (io.ReadCloser, error) {
	return s.Blobs.Open(ctx, s.Key, off, n)
}

// Size returns the blob's size in bytes.
func (s Source) Size() int64 { return s.Length }

// LocalSource is a Source whose blob is a file of this machine.
type LocalSource struct {
	Source
	Files LocalStore
}

// Path returns the path of the file.
func (s LocalSource) Path() (string, error) { return s.Files.Path(s.Key) }

// HeldSource is a Source whose blob can be copied to a file of this machine.
type HeldSource struct {
	Source
	Files Holder
}

// Hold returns the path of the copy, which stays until release is called.
func (s HeldSource) Hold(ctx context.Context) (path string, release func(), err error) {
	return s.Files.Hold(ctx, s.Key)
}

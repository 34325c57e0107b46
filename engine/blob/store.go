package blob

import (
	"context"
	"io"
	"time"
)

// Store stores bytes under keys. A key that ValidKey rejects is CodeInvalid.
type Store interface {
	// Create starts a blob. The blob is invisible until Commit, which also replaces an earlier blob of the same key.
	Create(ctx context.Context, key string, meta Meta) (Writer, error)
	// Open reads n bytes from off; n < 0 reads to the end. CodeNotFound when there is no such blob, CodeInvalid when off is outside it.
	Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error)
	// Stat returns the description of a blob, or CodeNotFound.
	Stat(ctx context.Context, key string) (Info, error)
	// Delete removes a blob. Deleting a missing blob is not an error.
	Delete(ctx context.Context, key string) error
	// List calls fn for each blob whose key begins with prefix, in key order, until fn returns an error. fn may delete the blob it
	// receives.
	List(ctx context.Context, prefix string, fn func(Info) error) error
}

// Writer receives the bytes of one blob. It ends with Commit or Abort; Abort after Commit does nothing.
type Writer interface {
	io.Writer
	// Commit makes the blob durable and visible. After an error, nothing is stored.
	Commit() (Info, error)
	Abort() error
}

// LocalStore is an optional ability of a Store that keeps each blob as one file of this machine. Callers only read the file, and only while
// the blob exists. Without this ability, a caller that needs a file copies the blob to one.
type LocalStore interface {
	Path(key string) (string, error)
}

// Pinner is an optional ability of a Store whose blobs are on another machine. Without it and without LocalStore, a reader of several
// ranges may get bytes of two blobs if the key's blob is replaced meanwhile.
type Pinner interface {
	// Pin returns the current bytes of a blob, or CodeNotFound. Its reads fail with CodeUnavailable once the blob is replaced, and with
	// CodeNotFound once it is deleted.
	Pin(ctx context.Context, key string) (HeldSource, error)
}

// Holder copies blobs to files of this machine, within a quota.
type Holder interface {
	// Hold returns the path of a file with the bytes of a blob. The file stays until release is called; callers only read it.
	// CodeNoSpace when the copies may not have that size.
	Hold(ctx context.Context, key string) (path string, release func(), err error)
}

// Copier is an optional ability of a Store: it copies blobs itself, so that their bytes don't pass through this process if the store can
// avoid it.
type Copier interface {
	// Copy copies a blob to a key that no blob had before, and returns the description of the copy. If the blob is replaced meanwhile, the
	// copy has all the bytes of one of its versions, or Copy returns CodeConflict, and the key must not be used any more. CodeNotFound if
	// there is no blob to copy, CodeTooLarge if the store doesn't copy a blob of this size. After any error, delete the key.
	Copy(ctx context.Context, from, to string) (Info, error)
}

// Collector is an optional ability of a Store: it removes what writers left behind that died before Commit.
type Collector interface {
	// Collect removes the bytes of writers that began before a time, and never a blob. It returns how many writers left some.
	Collect(ctx context.Context, before time.Time) (removed int, err error)
}

// Meta is stored with the bytes.
type Meta struct {
	ContentType string
	MaxSize     int64 // a Write beyond it fails with CodeTooLarge; 0 for no limit
	Once        bool  // Commit fails with CodeConflict if the key has a blob already, and leaves that one as it is
}

// Info describes a committed blob.
type Info struct {
	Key         string
	Size        int64
	SHA256      [32]byte // zero if the store doesn't know it, which only happens for bytes that no Writer wrote
	ContentType string
	ModTime     time.Time
}

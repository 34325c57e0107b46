// Package files stores blobs as files in a folder, and signs the URLs for uploads and downloads. Start with New for
// blobs, and with NewSigner for URLs; see their examples.
//
// A blob "uploads/a" is two files in the folder uploads. "a@<version>" contains its bytes. "a@meta" contains the current
// version, size, SHA-256, and content type. No key contains '@', so the files of a blob never belong to another blob, and
// are never a folder.
//
// Bytes are written under a new version and made durable. One rename of "a@meta" then makes them current, so that after a
// power failure each blob is complete: either the old one or the new one. The next [New] removes what a crash leaves
// behind.
package files

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// Options configures Blobs. With the zero value, writes are durable and other processes may use the folder too.
type Options struct {
	// StaleAfter is the minimum age of an unused file that New removes; default 2 h. A younger one may belong to another
	// process that is writing it.
	StaleAfter time.Duration
	// Exclusive promises that no other process uses the folder, so that New removes all unused files.
	Exclusive bool
	// NoSync skips fsync. Writes are faster, but a power failure may damage blobs.
	NoSync bool
	// KeepAll makes New remove nothing, so that the folder can be inspected.
	KeepAll bool
	// Now returns the time of a blob's storage; default time.Now.
	Now func() time.Time
}

// Blobs implements engine.Blobs and engine.LocalBlobs in a folder. Only the owner can read the files and folders. Where the file system
// ignores case, as most do on Windows and macOS, so do keys; those that an Engine makes have no capitals.
type Blobs struct {
	dir      string
	options  Options
	folderMu sync.Mutex // held while folders are created and removed
	metaMu   sync.Mutex // held while a blob's metadata is replaced
	verifier Verifier
}

var (
	_ engine.Blobs      = (*Blobs)(nil)
	_ engine.LocalBlobs = (*Blobs)(nil)
)

// New opens a folder, creates it if necessary, and removes what crashes left. It lists all subfolders, but reads no blob.
// It returns CodeInvalid if dir is empty, CodeUnavailable if the folder can't be used, and CodeNoSpace.
func New(dir string, o Options) (*Blobs, error) {
	if dir == "" {
		return nil, engine.Errorf(engine.CodeInvalid, "files.New", "The folder must not be empty.")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, failure(err)
	}
	if o.StaleAfter <= 0 {
		o.StaleAfter = 2 * time.Hour
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	b := &Blobs{dir: dir, options: o}
	if err := b.makeFolder(dir); err != nil {
		return nil, failure(err)
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, failure(&os.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR})
	}
	if o.KeepAll {
		return b, nil
	}
	if _, err := b.sweep("", time.Now().Add(-o.StaleAfter)); err != nil {
		return nil, failure(err)
	}
	return b, nil
}

// Create starts a new blob, which Commit of the writer publishes.
func (b *Blobs) Create(ctx context.Context, key string, meta engine.BlobMeta) (engine.BlobWriter, error) {
	if err := check(ctx, key); err != nil {
		return nil, err
	}
	w := &writer{blobs: b, key: key, version: rand.Text(), meta: meta, hash: sha256.New()}
	file, err := b.createFile(b.dataPath(key, w.version))
	if err != nil {
		return nil, failure(err)
	}
	w.file = file
	return w, nil
}

// Open reads n bytes from off; n < 0 reads to the end. A reader stays valid if the blob is replaced or deleted.
//
// The first Open of a blob, for any of its bytes, compares it with its SHA-256, and a later one does so again if the file has
// changed since. A reader of the whole blob compares the bytes once more. CodeUnavailable for a damaged blob.
func (b *Blobs) Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
	if err := check(ctx, key); err != nil {
		return nil, err
	}
	file, info, err := b.openVerified(ctx, key)
	if err != nil {
		return nil, err
	}
	size := info.Size
	if off < 0 || off > size {
		_ = file.Close()
		return nil, engine.Errorf(engine.CodeInvalid, "", "Offset %d is outside the blob, which has %d bytes.", off, size)
	}
	if n < 0 || n > size-off {
		n = size - off
	}
	if n == size {
		return b.verifier.Reader(key, file, size, info.SHA256), nil
	}
	return section{io.NewSectionReader(file, off, n), file}, nil
}

// section reads a section of a file; Close closes the file.
type section struct {
	*io.SectionReader
	io.Closer
}

// Stat returns a blob's metadata.
func (b *Blobs) Stat(ctx context.Context, key string) (engine.BlobInfo, error) {
	if err := check(ctx, key); err != nil {
		return engine.BlobInfo{}, err
	}
	file, r, err := b.open(key)
	if err != nil {
		return engine.BlobInfo{}, err
	}
	return r.info(key), failure(file.Close())
}

// Path returns the path of the file with exactly the blob's bytes, which it compares like Open.
func (b *Blobs) Path(key string) (string, error) {
	if err := blob.CheckKey(key); err != nil {
		return "", err
	}
	file, _, err := b.openVerified(context.Background(), key)
	if err != nil {
		return "", err
	}
	return file.Name(), failure(file.Close())
}

// Damaged returns the keys of blobs that were found damaged since New, and that haven't been replaced or deleted since.
func (b *Blobs) Damaged() []string { return b.verifier.Damaged() }

// Delete durably removes a blob, and folders that become empty.
func (b *Blobs) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	return failure(b.unpublish(key))
}

func check(ctx context.Context, key string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return blob.CheckKey(key)
}

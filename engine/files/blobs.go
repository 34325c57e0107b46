// Package files keeps blobs as files in a folder, and signs addresses at which they are sent and fetched.
//
// A blob "uploads/a" is two files in the folder uploads: "a@<version>" has its bytes and nothing else, "a@meta" says which
// version counts, its size, its SHA-256 and its content type. No key has an '@' in it, so the files of one blob are never
// another blob's, nor a folder. Bytes are written under a version that nobody knows, made durable, and counted by the one
// rename that puts "a@meta" in place: whenever the power fails, each blob is the old one or the new one, whole. What a
// crash leaves besides is removed by the next [New].
package files

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// Options are how a folder is used; the zero value is durable and may share the folder with other processes.
type Options struct {
	// StaleAfter is how long a file that no blob uses must have rested before New removes it; default 2 h. Another
	// process may be writing it.
	StaleAfter time.Duration
	// Exclusive promises that no other process uses the folder, so New removes such files at once.
	Exclusive bool
	// NoSync leaves it to the system when bytes reach the disk: faster, and a power failure may damage blobs.
	NoSync bool
	// Now is the time that blobs are stored at; default the system's.
	Now func() time.Time
}

// Blobs is engine.Blobs and engine.LocalBlobs in a folder. Files and folders are readable by their owner only.
type Blobs struct {
	dir     string
	options Options
	folders sync.Mutex // held while folders are made and removed
	metas   sync.Mutex // held while a blob's metadata is exchanged
}

var (
	_ engine.Blobs      = (*Blobs)(nil)
	_ engine.LocalBlobs = (*Blobs)(nil)
)

// New opens a folder, makes it if need be, and removes what crashes left in it; that looks into every folder below, but
// into no blob. Errors: CodeInvalid without a folder, CodeUnavailable when it may not be used, CodeNoSpace.
func New(dir string, o Options) (*Blobs, error) {
	if dir == "" {
		return nil, engine.Errorf(engine.CodeInvalid, "files.New", "A folder is needed.")
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
	if _, err := b.sweep("", time.Now().Add(-o.StaleAfter)); err != nil {
		return nil, failure(err)
	}
	return b, nil
}

// Create starts a blob.
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

// Open reads n bytes from off; n < 0 reads to the end. An open reader has its bytes for good, whatever becomes of the blob.
func (b *Blobs) Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
	if err := check(ctx, key); err != nil {
		return nil, err
	}
	file, r, err := b.open(key)
	if err != nil {
		return nil, err
	}
	if off < 0 || off > r.Size {
		_ = file.Close()
		return nil, engine.Errorf(engine.CodeInvalid, "", "Byte %d lies outside the blob, which has %d.", off, r.Size)
	}
	if n < 0 || n > r.Size-off {
		n = r.Size - off
	}
	return section{io.NewSectionReader(file, off, n), file}, nil
}

// section reads a part of a file and closes the whole.
type section struct {
	*io.SectionReader
	io.Closer
}

// Stat describes a blob.
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

// Path returns the file that has the blob's bytes and nothing else.
func (b *Blobs) Path(key string) (string, error) {
	if err := blob.CheckKey(key); err != nil {
		return "", err
	}
	file, _, err := b.open(key)
	if err != nil {
		return "", err
	}
	return file.Name(), failure(file.Close())
}

// Delete removes a blob, durably, and the folders that are empty without it.
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

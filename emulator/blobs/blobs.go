package blobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// Blobs is engine.Blobs and engine.LocalBlobs on a Shelf: the index of one world. Readers that are open keep the bytes that they
// began with, whatever becomes of the blob.
type Blobs struct {
	shelf *Shelf
	now   func() time.Time

	mu   sync.RWMutex
	root *node
}

var (
	_ engine.Blobs      = (*Blobs)(nil)
	_ engine.LocalBlobs = (*Blobs)(nil)
)

// New returns Blobs that hold none. now tells when a blob is committed; nil is the machine's time.
func New(shelf *Shelf, now func() time.Time) *Blobs {
	if now == nil {
		now = time.Now
	}
	return &Blobs{shelf: shelf, now: now}
}

// Snapshot is what Blobs held at a moment.
type Snapshot struct{ root *node }

// Snapshot returns what b holds now, in a time that doesn't depend on how much that is. Two are equal, by ==, when nothing was
// committed or deleted between them.
func (b *Blobs) Snapshot() Snapshot {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return Snapshot{b.root}
}

// Fork returns Blobs that hold what s tells; neither sees what the other commits and deletes. now is that of New.
func (b *Blobs) Fork(s Snapshot, now func() time.Time) *Blobs {
	fork := New(b.shelf, now)
	fork.root = s.root
	return fork
}

// Create starts a blob.
func (b *Blobs) Create(ctx context.Context, key string, meta engine.BlobMeta) (engine.BlobWriter, error) {
	if err := check(ctx, key); err != nil {
		return nil, err
	}
	return &writer{blobs: b, key: key, meta: meta, hash: sha256.New()}, nil
}

// Open reads n bytes from off; n < 0 reads to the end.
func (b *Blobs) Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
	found, err := b.find(ctx, key)
	if err != nil {
		return nil, err
	}
	size := found.info.Size
	if off < 0 || off > size {
		return nil, engine.Errorf(engine.CodeInvalid, "", "Byte %d lies outside the blob, which has %d.", off, size)
	}
	if n < 0 || n > size-off {
		n = size - off
	}
	if found.content.small != nil {
		return io.NopCloser(bytes.NewReader(found.content.small[off : off+n])), nil
	}
	file, err := os.Open(found.content.path)
	runtime.KeepAlive(found.content)
	if err != nil {
		return nil, failure(err)
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
	found, err := b.find(ctx, key)
	return found.info, err
}

// Path returns a file that has the blob's bytes and nothing else.
func (b *Blobs) Path(key string) (string, error) {
	found, err := b.find(context.Background(), key)
	if err != nil {
		return "", err
	}
	return found.content.file()
}

// Delete removes a blob, if it is there.
func (b *Blobs) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.root = b.root.without(key)
	return nil
}

// List calls fn, without holding a lock, for each blob that was there when List began and still is.
func (b *Blobs) List(ctx context.Context, prefix string, fn func(engine.BlobInfo) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return b.Snapshot().root.each(prefix, func(key string) error {
		found, err := b.find(ctx, key)
		if engine.CodeOf(err) == engine.CodeNotFound {
			return nil
		}
		if err != nil {
			return err
		}
		return fn(found.info)
	})
}

func (b *Blobs) put(key string, found stored) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.root = b.root.with(key, found)
}

func (b *Blobs) find(ctx context.Context, key string) (stored, error) {
	if err := check(ctx, key); err != nil {
		return stored{}, err
	}
	found, ok := b.Snapshot().root.get(key)
	if !ok {
		return stored{}, engine.NotFound("", "blob")
	}
	return found, nil
}

func check(ctx context.Context, key string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return blob.CheckKey(key)
}

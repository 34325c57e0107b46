package blobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// Blobs is the blob index of one world. It implements engine.Blobs and engine.LocalBlobs. An open reader keeps the bytes it
// started with, even if the blob is replaced or deleted.
type Blobs struct {
	pool *Pool
	now  func() time.Time

	mu   sync.RWMutex
	root *node
}

var (
	_ engine.Blobs      = (*Blobs)(nil)
	_ engine.LocalBlobs = (*Blobs)(nil)
)

// New returns an empty Blobs. now returns the ModTime of committed blobs; nil means the wall clock.
func New(pool *Pool, now func() time.Time) *Blobs {
	if now == nil {
		now = time.Now
	}
	return &Blobs{pool: pool, now: now}
}

// Snapshot is the state of a Blobs at one moment.
type Snapshot struct{ root *node }

// Snapshot returns the current state in constant time. Two snapshots are equal (==) if nothing was committed or deleted between
// them.
func (b *Blobs) Snapshot() Snapshot {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return Snapshot{b.root}
}

// Fork returns a Blobs with the content of s. The fork and b don't see each other's later changes. now is as in New.
func (b *Blobs) Fork(s Snapshot, now func() time.Time) *Blobs {
	fork := New(b.pool, now)
	fork.root = s.root
	return fork
}

// Create returns a writer for a new blob.
func (b *Blobs) Create(ctx context.Context, key string, meta engine.BlobMeta) (engine.BlobWriter, error) {
	if err := check(ctx, key); err != nil {
		return nil, err
	}
	return &writer{blobs: b, key: key, meta: meta, hash: sha256.New()}, nil
}

// Open reads n bytes starting at off; n < 0 reads to the end. CodeInvalid when off is outside the blob. Bytes from a file are compared
// with their SHA-256 as in package files, and CodeUnavailable if they are damaged.
func (b *Blobs) Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
	found, err := b.find(ctx, key)
	if err != nil {
		return nil, err
	}
	size := found.info.Size
	if off < 0 || off > size {
		return nil, engine.Errorf(engine.CodeInvalid, "", "The offset %d is outside the blob, which has %d bytes.", off, size)
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
		return nil, storageError(err)
	}
	if err := b.pool.verifier.Verify(ctx, key, file, found.info.SHA256); err != nil {
		_ = file.Close()
		return nil, err
	}
	if n == size {
		return b.pool.verifier.Reader(key, file, size, found.info.SHA256), nil
	}
	return section{io.NewSectionReader(file, off, n), file}, nil
}

// section reads a part of a file and closes the file.
type section struct {
	*io.SectionReader
	io.Closer
}

// Stat returns a blob's metadata.
func (b *Blobs) Stat(ctx context.Context, key string) (engine.BlobInfo, error) {
	found, err := b.find(ctx, key)
	return found.info, err
}

// Path returns the path of a file that contains exactly the blob's bytes.
func (b *Blobs) Path(key string) (string, error) {
	found, err := b.find(context.Background(), key)
	if err != nil {
		return "", err
	}
	path, err := found.content.file()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", storageError(err)
	}
	return path, errors.Join(b.pool.verifier.Verify(context.Background(), key, file, found.info.SHA256), file.Close())
}

// Delete removes a blob. A missing blob is not an error.
func (b *Blobs) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.root = b.root.without(key)
	return nil
}

// List calls fn for each blob that existed when List started and still exists. It holds no lock during the calls.
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

// put stores a blob and reports whether it did; once refuses to replace one.
func (b *Blobs) put(key string, s stored, once bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, found := b.root.get(key); found && once {
		return false
	}
	b.root = b.root.with(key, s)
	return true
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

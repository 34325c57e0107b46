package memory

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// Blobs implements engine.Blobs in memory. Replacing or deleting a blob doesn't affect its open readers.
type Blobs struct {
	mu    sync.RWMutex
	blobs map[string]stored
}

// stored is a committed blob; its bytes never change.
type stored struct {
	info engine.BlobInfo
	data []byte
}

var _ engine.Blobs = (*Blobs)(nil)

// NewBlobs returns empty Blobs.
func NewBlobs() *Blobs { return &Blobs{blobs: map[string]stored{}} }

// Create returns a writer for a blob. The blob becomes visible on Commit. CodeInvalid if key is not a valid key.
func (b *Blobs) Create(ctx context.Context, key string, meta engine.BlobMeta) (engine.BlobWriter, error) {
	if err := check(ctx, key); err != nil {
		return nil, err
	}
	return &blobWriter{blobs: b, key: key, meta: meta, hash: sha256.New()}, nil
}

// Open returns a reader of up to n bytes from off; n < 0 reads to the end. CodeInvalid if off is outside the blob, CodeNotFound
// if there is no blob.
func (b *Blobs) Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
	found, err := b.find(ctx, key)
	if err != nil {
		return nil, err
	}
	data := found.data
	if off < 0 || off > int64(len(data)) {
		return nil, engine.Errorf(engine.CodeInvalid, "", "Offset %d is outside the blob, which has %d bytes.", off, len(data))
	}
	data = data[off:]
	if n >= 0 {
		data = data[:min(n, int64(len(data)))]
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// Stat returns a blob's info, or CodeNotFound.
func (b *Blobs) Stat(ctx context.Context, key string) (engine.BlobInfo, error) {
	found, err := b.find(ctx, key)
	return found.info, err
}

// Delete removes a blob. Deleting a missing one is no error.
func (b *Blobs) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.blobs, key)
	return nil
}

// List calls fn with each blob that exists when List starts and has not been deleted since, sorted by key. It holds no lock
// during fn.
func (b *Blobs) List(ctx context.Context, prefix string, fn func(engine.BlobInfo) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, key := range b.keys(prefix) {
		found, err := b.find(ctx, key)
		if engine.CodeOf(err) == engine.CodeNotFound {
			continue
		}
		if err == nil {
			err = fn(found.info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// put stores a blob and reports whether it did; once refuses to replace one.
func (b *Blobs) put(s stored, once bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, found := b.blobs[s.info.Key]; found && once {
		return false
	}
	b.blobs[s.info.Key] = s
	return true
}

func (b *Blobs) keys(prefix string) (keys []string) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for key := range b.blobs {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func (b *Blobs) find(ctx context.Context, key string) (stored, error) {
	if err := check(ctx, key); err != nil {
		return stored{}, err
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	found, ok := b.blobs[key]
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

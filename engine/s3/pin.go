package s3

import (
	"context"
	"io"

	"github.com/soundstage-dev/soundstage/engine/blob"
)

// pinned are blobs of which one has an entity tag.
type pinned struct {
	*Blobs
	etag string
	size int64
}

// Open reads the blob with the entity tag. CodeUnavailable if the blob was replaced.
func (p pinned) Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
	return p.open(ctx, key, p.etag, off, n)
}

// Pin returns the current bytes of a blob. All of its reads, and its local copy, are of these bytes, or fail with CodeUnavailable.
func (b *Blobs) Pin(ctx context.Context, key string) (blob.HeldSource, error) {
	if err := check(ctx, key); err != nil {
		return blob.HeldSource{}, err
	}
	object, info, err := b.stat(ctx, key)
	if err != nil {
		return blob.HeldSource{}, err
	}
	p := pinned{b, object.ETag, info.Size}
	return blob.HeldSource{Source: blob.Source{Blobs: p, Key: key, Length: info.Size}, Files: p}, nil
}

package s3

import (
	"context"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// ahead is how many blobs List describes at once: a list of objects doesn't have their metadata.
const ahead = 32

// listed is a blob of a List.
type listed struct {
	key  string
	info engine.BlobInfo
	err  error
}

// List calls fn for each blob whose key begins with prefix. It needs one request for a thousand blobs, and one or two for each.
func (b *Blobs) List(ctx context.Context, prefix string, fn func(engine.BlobInfo) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if prefix != "" && !blob.ValidKey(prefix) && !blob.ValidKey(prefix+"x") { // no key begins with it
		return nil
	}
	listing, cancel := context.WithCancel(ctx)
	defer cancel()
	var batch []listed
	for object := range b.client.ListObjectsIter(listing, b.address.Bucket, minio.ListObjectsOptions{Prefix: b.address.Prefix + prefix, Recursive: true}) {
		if object.Err != nil {
			return failure(ctx, object.Err)
		}
		key, ok := b.keyOf(object.Key)
		if !ok || !blob.ValidKey(key) {
			continue
		}
		if batch = append(batch, listed{key: key}); len(batch) == ahead {
			if err := b.report(ctx, batch, fn); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return b.report(ctx, batch, fn)
}

// report describes blobs, and calls fn for those that exist. Once fn or anybody else in this process deleted a blob, the others may be
// gone, so that they are described again.
func (b *Blobs) report(ctx context.Context, batch []listed, fn func(engine.BlobInfo) error) error {
	deletes := b.deletes.Load()
	var group errgroup.Group
	for i := range batch {
		group.Go(func() error {
			_, batch[i].info, batch[i].err = b.stat(ctx, batch[i].key)
			return nil
		})
	}
	_ = group.Wait()
	for _, l := range batch {
		if b.deletes.Load() != deletes {
			_, l.info, l.err = b.stat(ctx, l.key)
		}
		if engine.CodeOf(l.err) == engine.CodeNotFound {
			continue
		}
		if l.err != nil {
			return l.err
		}
		if err := fn(l.info); err != nil {
			return err
		}
	}
	return nil
}

package s3

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// Collect removes the parts of blobs that were never committed, the SHA-256 of parts that no blob has, and probes of Open, if they began
// before a time. It never touches a blob. After an error of one of them, it goes on and returns the errors at the end.
func (b *Blobs) Collect(ctx context.Context, before time.Time) (removed int, err error) {
	var errs []error
	count := func(err error) {
		if err = failure(ctx, err); err == nil {
			removed++
		} else {
			errs = append(errs, err)
		}
	}
	listing, cancel := context.WithCancel(ctx)
	defer cancel()
	for upload := range b.client.ListIncompleteUploads(listing, b.address.Bucket, b.address.Prefix, true) {
		switch {
		case upload.Err != nil:
			return removed, errors.Join(append(errs, failure(ctx, upload.Err))...)
		case upload.Initiated.Before(before) && b.ours(upload.Key):
			count(b.client.AbortMultipartUpload(ctx, b.address.Bucket, upload.Key, upload.UploadID))
		}
	}
	for object := range b.client.ListObjectsIter(listing, b.address.Bucket, minio.ListObjectsOptions{Prefix: b.address.Prefix, Recursive: true}) {
		if object.Err != nil {
			return removed, errors.Join(append(errs, failure(ctx, object.Err))...)
		}
		if !object.LastModified.Before(before) {
			continue
		}
		switch unused, err := b.unused(ctx, object.Key); {
		case err != nil:
			errs = append(errs, err)
		case unused:
			count(b.remove(ctx, object.Key))
		}
	}
	if ctx.Err() != nil {
		errs = append(errs, context.Cause(ctx))
	}
	return removed, errors.Join(errs...)
}

// ours reports whether a name is that of a blob's object, so that foreign uploads to the bucket stay.
func (b *Blobs) ours(name string) bool {
	key, ok := b.keyOf(name)
	return ok && blob.ValidKey(key)
}

// unused reports whether an object is the probe of Open, or the SHA-256 of parts that the current blob doesn't have.
func (b *Blobs) unused(ctx context.Context, name string) (bool, error) {
	key, id, ok := strings.Cut(strings.TrimPrefix(name, b.address.Prefix), mark)
	switch {
	case !ok || id == "" || strings.Contains(id, mark):
		return false, nil
	case key == "":
		return strings.HasPrefix(id, "probe-"), nil
	case !blob.ValidKey(key):
		return false, nil
	}
	object, err := b.client.StatObject(ctx, b.address.Bucket, b.name(key), minio.StatObjectOptions{})
	if err = failure(ctx, err); engine.CodeOf(err) == engine.CodeNotFound {
		return true, nil
	}
	d, found := parseDetails(object)
	return err == nil && !(found && d.id == id), err
}

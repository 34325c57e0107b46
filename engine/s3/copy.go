package s3

import (
	"context"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/soundstage-dev/soundstage/engine"
)

// copyTimeout is how long the store may copy an object before it answers. Copies of 5 GiB take longer than other requests.
const copyTimeout = 15 * time.Minute

// Copy lets the store copy a blob, and compute the SHA-256 of the copy if it can. Every attempt copies the bytes with one entity tag, so that
// one whose answer was lost, and that ends late, writes the same bytes. The copy gets none of the metadata that a client may have sent.
// CodeTooLarge for more than 5 GiB.
func (b *Blobs) Copy(ctx context.Context, from, to string) (engine.BlobInfo, error) {
	if err := check(ctx, to); err != nil {
		return engine.BlobInfo{}, err
	}
	if err := check(ctx, from); err != nil {
		return engine.BlobInfo{}, err
	}
	object, info, err := b.stat(ctx, from)
	if err != nil {
		return engine.BlobInfo{}, err
	}
	if info.Size > maxPut {
		return engine.BlobInfo{}, engine.Errorf(engine.CodeTooLarge, "", "The object store copies up to 5 GiB in one request (got %d bytes).", info.Size)
	}
	headers := map[string]string{
		"x-amz-copy-source-if-match": `"` + object.ETag + `"`, "x-amz-metadata-directive": "REPLACE", "Content-Type": object.ContentType, checksumHeader: "SHA256",
	}
	err = b.copyObject(ctx, from, to, headers)
	if minio.ToErrorResponse(err).StatusCode == http.StatusNotImplemented { // a store that computes no checksums of copies
		delete(headers, checksumHeader)
		err = b.copyObject(ctx, from, to, headers)
	}
	if preconditionFailed(err) {
		return engine.BlobInfo{}, engine.Errorf(engine.CodeConflict, "", "The stored bytes were replaced while they were copied.").
			WithHint("Copy them again, to another key.").Because(err)
	}
	if err != nil {
		return engine.BlobInfo{}, failure(ctx, err)
	}
	_, made, err := b.stat(ctx, to)
	if engine.CodeOf(err) == engine.CodeNotFound { // S3 may report a failed copy with the status 200
		err = unreachable(err)
	}
	return made, err
}

const checksumHeader = "x-amz-checksum-algorithm"

func (b *Blobs) copyObject(ctx context.Context, from, to string, headers map[string]string) error {
	_, err := b.copier.CopyObject(ctx, b.address.Bucket, b.name(from), b.address.Bucket, b.name(to), headers, minio.CopySrcOptions{}, minio.PutObjectOptions{})
	return err
}

package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/soundstage-dev/soundstage/engine"
)

// Open reads n bytes from off; n < 0 reads to the end. It sends one request, and continues after a cut connection at the same byte of the
// same bytes: if the blob was replaced meanwhile, Read returns CodeUnavailable, and if it was deleted, CodeNotFound. A reader of the
// whole blob compares its SHA-256 if that is known: the last Read of a damaged blob returns CodeUnavailable.
func (b *Blobs) Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
	return b.open(ctx, key, "", off, n)
}

// open is Open of the blob with an entity tag, or of any if it is "".
func (b *Blobs) open(ctx context.Context, key, etag string, off, n int64) (io.ReadCloser, error) {
	if err := check(ctx, key); err != nil {
		return nil, err
	}
	if off < 0 || off > maxSize || n == 0 {
		return b.empty(ctx, key, etag, off)
	}
	end := int64(math.MaxInt64)
	if n > 0 && n <= maxSize {
		end = off + n
	}
	r := &reader{blobs: b, ctx: ctx, key: key, etag: etag, off: off, end: end}
	object, size, err := r.request()
	if err != nil {
		if minio.ToErrorResponse(err).StatusCode == http.StatusRequestedRangeNotSatisfiable {
			return b.empty(ctx, key, etag, off)
		}
		return nil, r.failure(err)
	}
	r.etag, r.end = object.ETag, min(end, size)
	if off == 0 && r.end == size {
		if err := r.verify(object); err != nil {
			_ = r.body.Close()
			return nil, err
		}
	}
	return r, nil
}

// empty returns no bytes of a blob, or CodeInvalid if off is outside it.
func (b *Blobs) empty(ctx context.Context, key, etag string, off int64) (io.ReadCloser, error) {
	object, info, err := b.stat(ctx, key)
	switch {
	case err != nil:
		return nil, err
	case etag != "" && object.ETag != etag:
		return nil, changed(nil)
	case off < 0 || off > info.Size:
		return nil, engine.Errorf(engine.CodeInvalid, "", "Offset %d is outside the blob, which has %d bytes.", off, info.Size)
	}
	return io.NopCloser(bytes.NewReader(nil)), nil
}

// reader reads bytes of one version of a blob.
type reader struct {
	blobs    *Blobs
	ctx      context.Context
	key      string
	etag     string
	off, end int64 // next byte, and the byte after the last
	body     io.ReadCloser
	hash     hash.Hash // nil if the bytes aren't compared
	sum      [32]byte
	err      error // of every later Read
}

// verify lets the reader compare the SHA-256, if it is known.
func (r *reader) verify(object minio.ObjectInfo) error {
	info, err := r.blobs.describe(r.ctx, r.key, object)
	if err == nil && info.SHA256 != [32]byte{} {
		r.hash, r.sum = sha256.New(), info.SHA256
	}
	return err
}

// request asks for the bytes from off, and returns the size of the whole object. A range goes to the end of the object unless the reader's
// does not.
func (r *reader) request() (minio.ObjectInfo, int64, error) {
	var o minio.GetObjectOptions
	switch {
	case r.end != math.MaxInt64:
		o.Set("Range", fmt.Sprintf("bytes=%d-%d", r.off, r.end-1))
	case r.off > 0:
		o.Set("Range", fmt.Sprintf("bytes=%d-", r.off))
	default:
		o.Set("x-amz-checksum-mode", "ENABLED")
	}
	if r.etag != "" {
		_ = o.SetMatchETag(r.etag)
	}
	body, object, header, err := r.blobs.client.GetObject(r.ctx, r.blobs.address.Bucket, r.blobs.name(r.key), o)
	if err != nil {
		return object, 0, err
	}
	r.body = body
	contentRange := header.Get("Content-Range")
	if contentRange == "" && r.off == 0 {
		return object, object.Size, nil
	}
	_, total, _ := strings.Cut(contentRange, "/")
	size, err := strconv.ParseInt(total, 10, 64)
	if err != nil || !strings.HasPrefix(contentRange, fmt.Sprintf("bytes %d-", r.off)) {
		_ = body.Close()
		return object, 0, engine.Errorf(engine.CodeUnavailable, "", "The object store returned other bytes than the requested range.")
	}
	object.Size = size
	return object, size, nil
}

// failure returns the error for a request that failed.
func (r *reader) failure(err error) error {
	if preconditionFailed(err) {
		return changed(err)
	}
	return failure(r.ctx, err)
}

// Read continues after a cut connection, until as many attempts as Options.Attempts return no byte.
func (r *reader) Read(p []byte) (int, error) {
	for attempt := 0; r.err == nil; attempt++ {
		if r.off == r.end {
			r.err = io.EOF
			break
		}
		n, err := r.body.Read(p[:min(int64(len(p)), r.end-r.off)])
		if n > 0 || err == nil {
			return r.deliver(p[:n])
		}
		if r.ctx.Err() != nil {
			r.err = context.Cause(r.ctx)
		} else if attempt+1 >= r.blobs.options.Attempts {
			r.err = unreachable(err)
		} else {
			r.resume(attempt)
		}
	}
	return 0, r.err
}

// deliver counts and hashes bytes. The last ones of a damaged blob are not delivered.
func (r *reader) deliver(p []byte) (int, error) {
	r.off += int64(len(p))
	if r.hash == nil {
		return len(p), nil
	}
	r.hash.Write(p)
	if r.off == r.end && [32]byte(r.hash.Sum(nil)) != r.sum {
		r.err = damaged()
		return 0, r.err
	}
	return len(p), nil
}

// resume asks for the rest of the bytes. A reader whose end was unknown knows it by now.
func (r *reader) resume(attempt int) {
	_ = r.body.Close()
	wait(r.ctx, min(50*time.Millisecond<<attempt, time.Second))
	if _, _, err := r.request(); err != nil {
		r.body = http.NoBody
		r.err = r.failure(err)
	}
}

func (r *reader) Close() error {
	if r.err == nil {
		r.err = errors.New("s3: the reader is closed")
	}
	return r.body.Close()
}

package s3

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"hash"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/soundstage-dev/soundstage/engine"
)

// writer buffers the bytes of one blob. At Commit, it sends them in one request, or the rest of them if there were more than one part.
type writer struct {
	blobs *Blobs
	ctx   context.Context
	key   string
	meta  engine.BlobMeta
	id    string
	hash  hash.Hash
	size  int64
	part  []byte // not sent yet
	parts *parts // nil until the first part is sent
	over  error  // error of every later call; nil while the writer is open
}

var errDone = &engine.Error{Code: engine.CodeInternal, Err: errors.New("s3: the blob is already committed or aborted")}

// abortTimeout limits the requests that clean up after a failed write.
const abortTimeout = 20 * time.Second

// Create starts a new blob. Nothing is sent before the first part is full.
func (b *Blobs) Create(ctx context.Context, key string, meta engine.BlobMeta) (engine.BlobWriter, error) {
	if err := check(ctx, key); err != nil {
		return nil, err
	}
	return &writer{blobs: b, ctx: ctx, key: key, meta: meta, id: rand.Text(), hash: sha256.New()}, nil
}

// Write appends to the blob. After an error, the sent parts are removed and Commit returns the same error.
func (w *writer) Write(p []byte) (n int, err error) {
	if w.over != nil {
		return 0, w.over
	}
	if limit := w.meta.MaxSize; limit > 0 && int64(len(p)) > limit-w.size {
		return 0, w.fail(engine.Errorf(engine.CodeTooLarge, "", "More than the allowed %d bytes were sent.", limit))
	}
	for n < len(p) {
		some := p[n:min(len(p), n+int(w.partSize())-len(w.part))]
		w.hash.Write(some)
		w.part = append(w.part, some...)
		w.size += int64(len(some))
		if n += len(some); int64(len(w.part)) == w.partSize() {
			if err := w.send(); err != nil {
				return n, w.fail(err)
			}
		}
	}
	return n, nil
}

func (w *writer) partSize() int64 {
	n := 0
	if w.parts != nil {
		n = w.parts.begun
	}
	return partSize(w.blobs.options.PartSize, w.meta.MaxSize, n)
}

// send sends the buffer as the next part.
func (w *writer) send() (err error) {
	if w.parts == nil {
		d := details{id: w.id, contentType: w.meta.ContentType, stored: w.now(), apart: true}
		if w.parts, err = w.blobs.newParts(w.ctx, w.key, d); err != nil {
			return err
		}
	}
	w.part, err = w.parts.send(w.part)
	return err
}

// Commit makes the blob durable and visible.
func (w *writer) Commit() (engine.BlobInfo, error) {
	if w.over != nil {
		return engine.BlobInfo{}, w.over
	}
	if w.ctx.Err() != nil {
		return engine.BlobInfo{}, w.fail(context.Cause(w.ctx))
	}
	info := engine.BlobInfo{Key: w.key, Size: w.size, SHA256: [32]byte(w.hash.Sum(nil)), ContentType: w.meta.ContentType, ModTime: w.now()}
	var err error
	if w.parts == nil {
		err = w.put(info)
	} else {
		err = w.complete(info)
	}
	if err != nil {
		return engine.BlobInfo{}, w.fail(err)
	}
	w.over, w.part = errDone, nil
	return info, nil
}

func (w *writer) now() time.Time { return w.blobs.options.Now().UTC().Truncate(time.Microsecond) }

// put sends the whole blob in one request.
func (w *writer) put(info engine.BlobInfo) error {
	d := details{id: w.id, contentType: info.ContentType, stored: info.ModTime, sum: info.SHA256}
	o := d.options(w.meta.Once)
	o.UserMetadata["x-amz-checksum-sha256"] = base64.StdEncoding.EncodeToString(info.SHA256[:])
	b := w.blobs
	return w.settle(func() error {
		_, err := b.client.PutObject(w.ctx, b.address.Bucket, b.name(w.key), bytes.NewReader(w.part), info.Size, "", hex.EncodeToString(info.SHA256[:]), o)
		return err
	})
}

// complete sends the last part, and makes the blob of all parts visible. Its SHA-256 is stored before.
func (w *writer) complete(info engine.BlobInfo) error {
	if len(w.part) > 0 {
		if err := w.send(); err != nil {
			return err
		}
	}
	if err := w.parts.wait(); err != nil {
		return err
	}
	if err := w.blobs.putSummary(w.ctx, w.key, w.id, info); err != nil {
		return err
	}
	w.parts.summary = true
	o := minio.PutObjectOptions{}
	if w.meta.Once {
		o.SetMatchETagExcept("*")
	}
	return w.settle(func() error { return w.parts.complete(o) })
}

// settle sends the request that makes a blob visible, again while another request for the key or its folder is in progress. If an answer
// was lost, a repetition fails, because the blob is there already or the parts are gone; then the blob is this writer's.
func (w *writer) settle(send func() error) error {
	err := send()
	for pause := 20 * time.Millisecond; concurrent(err) && pause < 2*time.Second && w.ctx.Err() == nil; pause *= 2 {
		wait(w.ctx, pause)
		err = send()
	}
	if err == nil || w.ctx.Err() != nil {
		return failure(w.ctx, err)
	}
	object, statErr := w.blobs.client.StatObject(w.ctx, w.blobs.address.Bucket, w.blobs.name(w.key), minio.StatObjectOptions{})
	if d, ok := parseDetails(object); statErr == nil && ok && d.id == w.id {
		return nil
	}
	return failure(w.ctx, err)
}

// concurrent reports whether a request was refused only because of another one. versitygw returns ExistingObjectIsDirectory when the folder
// is removed at the same time, with its last other object.
func concurrent(err error) bool {
	switch minio.ToErrorResponse(err).Code {
	case "ConditionalRequestConflict", "OperationAborted", "ExistingObjectIsDirectory":
		return true
	}
	return false
}

// wait returns after a pause, or when the context ends.
func wait(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// options returns the options of the request that creates an object. DisableContentSha256 means that the SHA-256 of the body is signed once,
// not that of each 64 KiB.
func (d details) options(once bool) minio.PutObjectOptions {
	o := minio.PutObjectOptions{DisableContentSha256: true, ContentType: "application/octet-stream", UserMetadata: map[string]string{metaName: d.encode()}}
	if plain(d.contentType) {
		o.ContentType = d.contentType
	}
	if once {
		o.SetMatchETagExcept("*")
	}
	return o
}

// plain reports whether a content type can be a header as it is.
func plain(contentType string) bool {
	return contentType != "" && strings.TrimSpace(contentType) == contentType && strings.IndexFunc(contentType, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// Abort removes the sent parts, unless they are committed.
func (w *writer) Abort() error {
	if w.over != nil {
		return nil //nolint:nilerr // an ended writer has nothing to remove
	}
	w.over = errDone
	return w.discard()
}

// fail closes the writer with err, and returns err.
func (w *writer) fail(err error) error {
	_ = w.discard() // Collect removes what is left
	w.over = err
	return err
}

func (w *writer) discard() error {
	w.part = nil
	if w.parts == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), abortTimeout)
	defer cancel()
	return w.parts.abort(ctx)
}

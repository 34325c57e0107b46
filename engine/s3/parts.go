package s3

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"

	"github.com/soundstage-dev/soundstage/engine"
)

// Limits of S3 for an object of several parts, and how the parts of a blob of unknown size grow.
const (
	minPartSize = 5 << 20
	maxPartSize = 1 << 30
	maxParts    = 10_000
	maxSize     = 5 << 40

	steadyParts = 1000      // of one size
	growth      = 132 << 10 // bytes by which each later part is larger, so that maxParts have more than maxSize bytes
	evenSize    = 64 << 20  // largest part for which all parts have the same size, which some stores require
)

// partSize returns the size of the part with an index in bytes. base is Options.PartSize, limit the most that the blob can have or 0.
// The parts of a blob with a limit have one size, unless that would take too much memory.
func partSize(base, limit int64, index int) int64 {
	if even := max(base, (limit+maxParts-1)/maxParts); limit > 0 && even <= max(base, evenSize) {
		return even
	}
	return base + growth*int64(max(0, index-steadyParts))
}

// parts sends the parts of one blob.
type parts struct {
	blobs   *Blobs
	key, id string
	upload  string
	caller  context.Context
	ctx     context.Context // of the requests: ends when a part fails, and abortGrace after caller
	group   *errgroup.Group
	cancel  context.CancelCauseFunc
	unwatch func() bool // ends the watch of caller
	begun   int
	summary bool // was stored

	mu   sync.Mutex
	done []minio.CompletePart
	free [][]byte // buffers of parts that were sent
	err  error    // of the first part that failed
}

func (b *Blobs) newParts(ctx context.Context, key string, d details) (*parts, error) {
	upload, err := b.client.NewMultipartUpload(ctx, b.address.Bucket, b.name(key), d.options(false))
	if err != nil {
		return nil, failure(ctx, err)
	}
	p := &parts{blobs: b, key: key, id: d.id, upload: upload, group: &errgroup.Group{}, caller: ctx}
	p.ctx, p.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	p.unwatch = context.AfterFunc(ctx, func() { time.AfterFunc(abortGrace, func() { p.cancel(context.Cause(ctx)) }) })
	p.group.SetLimit(b.options.Parallel)
	return p, nil
}

// send sends a part, as soon as fewer than Options.Parallel others are being sent. It returns a buffer for the next one, and the error of
// an earlier part.
func (p *parts) send(part []byte) ([]byte, error) {
	if p.caller.Err() != nil {
		return nil, context.Cause(p.caller)
	}
	p.begun++
	number := p.begun
	if number > maxParts {
		return nil, tooLarge()
	}
	if int64(len(part)) > max(p.blobs.options.PartSize, evenSize) { // one large part at a time
		if err := p.wait(); err != nil {
			return nil, err
		}
	}
	p.group.Go(func() error {
		err := p.put(number, part)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.free = append(p.free, part[:0])
		if err != nil && p.err == nil {
			p.err = err
			p.cancel(err)
		}
		return err
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	var buffer []byte
	if n := len(p.free); n > 0 {
		buffer, p.free = p.free[n-1], p.free[:n-1]
	}
	return buffer, p.err
}

func (p *parts) put(number int, part []byte) error {
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	sent, err := p.blobs.client.PutObjectPart(p.ctx, p.blobs.address.Bucket, p.blobs.name(p.key), p.upload, number, bytes.NewReader(part), int64(len(part)),
		minio.PutObjectPartOptions{Sha256Hex: hexSum(part), DisableContentSha256: true})
	if err != nil {
		return failure(p.ctx, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = append(p.done, minio.CompletePart{PartNumber: number, ETag: sent.ETag})
	return nil
}

// wait returns when all parts are sent, with the error of the first that failed.
func (p *parts) wait() error {
	_ = p.group.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// complete makes the object of all parts visible.
func (p *parts) complete(o minio.PutObjectOptions) error {
	p.unwatch()
	slices.SortFunc(p.done, func(a, b minio.CompletePart) int { return a.PartNumber - b.PartNumber })
	_, err := p.blobs.client.CompleteMultipartUpload(context.WithoutCancel(p.ctx), p.blobs.address.Bucket, p.blobs.name(p.key), p.upload, p.done, o)
	return err
}

// abortGrace is how long parts that are being sent may still take, also when the caller's context has ended. A store may keep a part whose
// request was cut, even after the abort.
const abortGrace = 2 * time.Second

// abort waits for the requests of the parts, or ends them, and removes the parts. ctx limits the requests for that.
func (p *parts) abort(ctx context.Context) error {
	p.unwatch()
	grace := time.AfterFunc(abortGrace, func() { p.cancel(context.Canceled) })
	_ = p.group.Wait()
	grace.Stop()
	p.cancel(context.Canceled)
	b := p.blobs
	err := failure(ctx, b.client.AbortMultipartUpload(ctx, b.address.Bucket, b.name(p.key), p.upload))
	var answer minio.ErrorResponse
	if errors.As(err, &answer) && answer.Code == "NoSuchUpload" {
		err = nil
	}
	if err == nil && p.summary {
		err = b.remove(ctx, b.sumName(p.key, p.id))
	}
	return err
}

// putSummary stores what is known only after all parts were sent.
func (b *Blobs) putSummary(ctx context.Context, key, id string, info engine.BlobInfo) error {
	text, err := json.Marshal(summary{SHA256: hex.EncodeToString(info.SHA256[:]), Stored: info.ModTime})
	if err != nil {
		return err
	}
	_, err = b.client.PutObject(ctx, b.address.Bucket, b.sumName(key, id), bytes.NewReader(text), int64(len(text)), "", hexSum(text),
		minio.PutObjectOptions{ContentType: "application/json", DisableContentSha256: true})
	return failure(ctx, err)
}
